import { mailEffect } from '../../engine/effects/mail'
import { defineBlock } from '../../engine/flow/defineBlock'
import { call, read } from '../../engine/flow/steps'
import { dynamicValueVariables, isBlankValue, staticValue } from '../../engine/values/dynamicValue'
import { renderText, type Variables } from '../../engine/values/render'
import { renderRichText } from '../../engine/values/renderRichText'
import { richTextVariables } from '../../engine/values/richText'
import { sendEmailFromTypebot } from './import'
import { type Recipient, sendEmailDefaults, sendEmailSchema } from './schema'

/**
 * Sends a mail. Variables may contain several addresses (a list, or separated by commas, semicolons or line breaks);
 * more than five per field are refused, and so are invalid ones.
 */
export const sendEmail = defineBlock({
  kind: 'send-email',
  category: 'other',
  title: 'Send email',
  help: 'Sends an email to a visitor or to your team.',
  schema: sendEmailSchema,
  // a mail needs a recipient: the first line is there to be filled in
  defaults: (id) => ({ ...sendEmailDefaults(), to: [{ id: id(), address: staticValue('') }] }),
  richTexts: ['body'],
  visitorTexts: ['subject', 'body'],
  ports: () => [
    { id: 'success', label: 'Success' },
    { id: 'failure', label: 'Failure', fallback: 'success' },
  ],
  reads: ({ fromName, to, cc, bcc, replyTo, subject, body }) => [
    ...[fromName, subject, ...[to, cc, bcc, replyTo].flat().map(({ address }) => address)].flatMap(
      dynamicValueVariables,
    ),
    ...richTextVariables(body),
  ],
  problems: ({ to }) =>
    to.every(({ address }) => isBlankValue(address)) ? [{ path: 'to', message: 'Add a recipient' }] : [],
  importers: [sendEmailFromTypebot],
  *run(data) {
    const variables = yield* read()
    const addresses = {
      to: addressesIn(data.to, variables),
      cc: addressesIn(data.cc, variables),
      bcc: addressesIn(data.bcc, variables),
      replyTo: addressesIn(data.replyTo, variables),
    }
    const result = yield* call(mailEffect, {
      ...addresses,
      fromName: renderText(data.fromName, variables),
      subject: renderText(data.subject, variables),
      body: renderRichText(data.body, variables),
    })
    return result.ok ? 'success' : 'failure'
  },
})

const addressesIn = (recipients: Recipient[], variables: Variables): string[] =>
  recipients
    .flatMap(({ address }) => renderText(address, variables).split(/[,;\n]/))
    .map((address) => address.trim())
    .filter((address) => address !== '')
