import { clip, fieldsOf, listOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter, ImportContext } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import { caps } from '../../engine/values/caps'
import { parseEmail } from '../../engine/values/rules'
import { MAX_ADDRESSES, type SendEmailData, sendEmailDefaults } from './schema'

/** A mail with its own text. The sending account is the installation's here, and bodies support less. */
export const sendEmailFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['Email'],
  map(block, context) {
    const options = fieldsOf(block.options)
    const known = [
      'credentialsId',
      'recipients',
      'subject',
      'body',
      'replyTo',
      'cc',
      'bcc',
      'isBodyCode',
      'isCustomBody',
    ]
    noteOthers(options, known, context)
    const isCode = options.isBodyCode === true
    if (isCode) context.note('The body was written in HTML, and stands in the mail as text.')
    if (options.isCustomBody === false || textOf(options.body) === '') {
      context.note('The body was made of all answers by itself: write one here.')
    }
    const data: SendEmailData = {
      ...sendEmailDefaults(),
      to: addresses('to', options.recipients, context),
      cc: addresses('cc', options.cc, context),
      bcc: addresses('bcc', options.bcc, context),
      replyTo: addresses('reply-to', options.replyTo === undefined ? [] : [options.replyTo], context),
      subject: context.text(options.subject, caps.mailSubject),
      body: context.richText(clip(textOf(options.body), caps.text)),
    }
    return { data, ports: { default: 'success' } }
  },
}

function addresses(field: string, list: unknown, context: ImportContext): SendEmailData['to'] {
  const texts = listOf(list)
    .map(textOf)
    .filter((text) => text.trim() !== '')
  const valid = texts.filter((text) => text.includes('{{') || parseEmail(text, caps.mailAddress) !== null)
  if (valid.length < texts.length) context.note(`An address in '${field}' that is none is left out.`)
  if (valid.length > MAX_ADDRESSES) context.note(`Of the addresses in '${field}' the first ${MAX_ADDRESSES} are kept.`)
  return valid
    .slice(0, MAX_ADDRESSES)
    .map((text) => ({ id: context.id(), address: context.text(text.trim(), caps.mailAddress) }))
}
