import type { TicketCall } from '../../../../engine/effects/ticket'
import { caps } from '../../../../engine/values/caps'
import { parseEmail } from '../../../../engine/values/rules'
import { VendorError } from '../calls/vendorError'

/** Most characters of a comment, which Zendesk sets. */
const COMMENT = 65_535

/** Finds what variables have made of a call before Zendesk is asked. @throws VendorError bad_id, refused */
export function checkTicketCall(call: TicketCall): void {
  const { action, ticket, subject, comment, requester, group, brand, form, files = [] } = call
  if (action !== 'create' && !/^\d{1,15}$/.test(ticket.trim()))
    throw new VendorError('bad_id', `“${ticket.trim()}”. A ticket’s ID has digits only.`)
  for (const chosen of [group, brand, form])
    if (chosen !== undefined && !/^\d{1,15}$/.test(chosen)) throw new VendorError('bad_id', `“${chosen}”`)
  const refuse = (detail: string) => {
    throw new VendorError('refused', detail)
  }
  if (action === 'create' && comment.body.trim() === '')
    refuse('the description is empty. Enter one, or a default value.')
  if (files.length > 0 && action !== 'get' && comment.body.trim() === '')
    refuse('files are attached to a text, which is empty. Enter one, or a default value.')
  if (comment.body.length > COMMENT) refuse(`the text has more than ${COMMENT} characters.`)
  for (const [name, value, most] of [
    ['subject', subject, caps.ticketSubject],
    ['requester’s name', requester.name, caps.requester],
    ['requester’s email', requester.email, caps.requester],
  ] as const)
    if (value.trim().length > most) refuse(`the ${name} has more than ${most} characters.`)
  const email = requester.email.trim()
  if (email !== '' && parseEmail(email) === null) refuse(`“${email}” is not an email address.`)
}
