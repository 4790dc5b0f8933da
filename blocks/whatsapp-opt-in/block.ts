import { whatsappEffect } from '../../engine/effects/whatsapp'
import { defineBlock } from '../../engine/flow/defineBlock'
import { call, note, render } from '../../engine/flow/steps'
import { dynamicValueVariables, isBlankValue } from '../../engine/values/dynamicValue'
import { whatsappOptInDefaults, whatsappOptInSchema } from './schema'

/**
 * Records that a person on WhatsApp agrees to be sent marketing, or does not any more: marketing templates go to those
 * alone who agreed. Put it behind the answer to a question; on other channels it leaves by `failure`.
 */
export const whatsappOptIn = defineBlock({
  kind: 'whatsapp-opt-in',
  category: 'other',
  title: 'WhatsApp opt-in',
  help: 'Records whether a person agrees to get marketing on WhatsApp.',
  schema: whatsappOptInSchema,
  defaults: whatsappOptInDefaults,
  ports: () => [
    { id: 'success', label: 'Success' },
    { id: 'failure', label: 'Failure' },
  ],
  reads: ({ question }) => dynamicValueVariables(question),
  problems: ({ answer, question }) =>
    answer === 'agrees' && isBlankValue(question)
      ? [{ path: 'question', message: 'Enter what the person agrees to' }]
      : [],
  *run({ answer, question }) {
    const words = yield* render(question)
    const { ok, error } = yield* call(whatsappEffect, { ask: 'opt-in', agrees: answer === 'agrees', words })
    if (ok) return 'success'
    if (error) yield* note(error)
    return 'failure'
  },
})
