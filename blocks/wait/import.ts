import { fieldsOf, numberOf } from '../../engine/interop/fields'
import type { BlockImporter } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import { caps, LONGEST_WAIT } from '../../engine/values/caps'
import { waitDefaults } from './schema'

/** A wait in seconds: a number, a text, or a variable. */
export const waitFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['Wait'],
  map(block, context) {
    const options = fieldsOf(block.options)
    noteOthers(options, ['secondsToWaitFor', 'shouldPause'], context)
    const ports = { default: 'next' }
    const seconds = numberOf(options.secondsToWaitFor)
    if (seconds !== undefined) {
      const amount = Math.min(Math.max(seconds, 1), LONGEST_WAIT)
      if (amount !== seconds) context.note(`It waited ${seconds} seconds: here it waits ${amount}.`)
      return { data: { ...waitDefaults(), amount }, ports }
    }
    const text = context.text(options.secondsToWaitFor, caps.label)
    const [only, ...more] = text.type === 'dynamic' ? text.parts : []
    if (only?.type === 'variable' && more.length === 0)
      return { data: { ...waitDefaults(), variableId: only.variable_id }, ports }
    context.note('How long it waits was not set as a number: here it waits 1 second.')
    return { data: { ...waitDefaults(), amount: 1 }, ports }
  },
}
