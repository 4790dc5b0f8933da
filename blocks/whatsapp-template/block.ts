import { whatsappEffect } from '../../engine/effects/whatsapp'
import { chosenIn } from '../../engine/flow/chosenIn'
import { defineBlock, type Port } from '../../engine/flow/defineBlock'
import { listening, listenPorts, timeoutOf } from '../../engine/flow/inputFields'
import { ask, call, note, read, sayMessage, setVariable } from '../../engine/flow/steps'
import { dynamicValueVariables, isBlankValue } from '../../engine/values/dynamicValue'
import { renderText } from '../../engine/values/render'
import { plainRichText } from '../../engine/values/richText'
import { type WhatsappTemplateData, whatsappTemplateDefaults, whatsappTemplateSchema } from './schema'

/**
 * Sends a message that WhatsApp has approved, which it takes also when its 24 hours are over. Other channels show its
 * text. If its buttons answer, it waits: each has its own port, and `success` takes the rest. It leaves by `failure`
 * before anything is sent, if WhatsApp would not take it.
 */
export const whatsappTemplate = defineBlock({
  kind: 'whatsapp-template',
  category: 'other',
  title: 'WhatsApp template',
  help: 'Sends an approved message, also when WhatsApp’s 24 hours are over.',
  schema: whatsappTemplateSchema,
  defaults: whatsappTemplateDefaults,
  ports,
  reads: ({ values }) => values.flatMap(({ value }) => dynamicValueVariables(value)),
  writes: ({ saveTo, replies }) => (saveTo && replies.length > 0 ? [saveTo] : []),
  waits: ({ replies }) => replies.length > 0,
  problems: ({ template, values }) => [
    ...(template === null ? [{ path: 'template', message: 'Choose a template' }] : []),
    ...values.flatMap(({ value }, at) =>
      isBlankValue(value) ? [{ path: `values.${at}.value`, message: 'Enter a value' }] : [],
    ),
  ],
  *run(data) {
    const { template, replies, saveTo } = data
    if (!template) {
      yield* note('Choose the template in the block’s settings.')
      return 'failure'
    }
    const variables = yield* read()
    const values = data.values.map(({ id: _, value, ...place }) => ({ ...place, value: renderText(value, variables) }))
    const { ok, error, text } = yield* call(whatsappEffect, { ask: 'template', ...template, values })
    if (!ok) {
      if (error) yield* note(error)
      return 'failure'
    }
    yield* sayMessage({ kind: 'text', text: plainRichText(text ?? ''), template: { ...template, values } })
    if (replies.length === 0) return 'success'
    const reply = yield* ask(
      {
        ...{ input: 'choice', multiple: false, typing: true, placeholder: '', options: replies, shown: 'template' },
        ...timeoutOf(data),
      },
      listening(data),
    )
    if (reply.type === 'timeout') return 'no-reply'
    const [chosen] = chosenIn(replies, reply, false)
    const said = chosen?.label ?? (reply.type === 'text' ? reply.text.trim() : '')
    if (saveTo) yield* setVariable(saveTo, said)
    return chosen?.id ?? 'success'
  },
})

function ports(data: WhatsappTemplateData): Port<string>[] {
  const replies = data.replies.map(({ id, label }) => ({ id, label, fallback: 'success' }))
  return [
    ...replies,
    { id: 'success', label: replies.length > 0 ? 'Otherwise' : 'Success' },
    ...listenPorts(replies.length > 0 ? data : { ...data, noReplyAfter: null }, 'success'),
    { id: 'failure', label: 'Failure' },
  ]
}
