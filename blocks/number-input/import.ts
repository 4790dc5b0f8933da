import { fieldsOf, numberOf } from '../../engine/interop/fields'
import type { BlockImporter, ImportContext } from '../../engine/interop/importer'
import { INPUT_SETTINGS, inputSettings, noteOthers } from '../../engine/interop/settings'
import { NUMBER_RANGE } from '../../engine/values/rules'
import { numberInputDefaults } from './schema'

/** A number input. Limits must be numbers: a variable as a limit is noted; so is a step, which has no counterpart. */
export const numberInputFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['number input'],
  map(block, context) {
    const options = fieldsOf(block.options)
    context.remark('Numbers are kept as numbers here: 007 is 7, while there it was kept as it was typed.')
    noteOthers(options, [...INPUT_SETTINGS, 'min', 'max'], context)
    const min = limit('minimum', options.min, context)
    let max = limit('maximum', options.max, context)
    if (min !== null && max !== null && min > max) {
      context.note('The maximum is below the minimum and is left out.')
      max = null
    }
    return {
      data: { ...numberInputDefaults(), ...inputSettings(options, context), min, max },
      ports: { default: 'next' },
    }
  },
}

function limit(name: string, value: unknown, context: ImportContext): number | null {
  if (value === undefined || value === null || value === '') return null
  const number = numberOf(value)
  if (number === undefined) {
    context.note(`The ${name} is not a plain number and is left out.`)
    return null
  }
  return Math.min(Math.max(number, NUMBER_RANGE.min), NUMBER_RANGE.max)
}
