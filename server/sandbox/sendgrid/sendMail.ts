import { type Answer, fieldsOf, Refusal } from '../call'
import { refuseSendgrid } from './errors'
import type { Address, SendgridState, SentMail } from './state'

interface Personalization {
  to?: Address[]
  cc?: Address[]
  bcc?: Address[]
  from?: Address
  subject?: string
  headers?: Record<string, string>
  custom_args?: Record<string, string>
  send_at?: number
}
interface MailBody {
  personalizations?: Personalization[]
  from?: Address
  reply_to?: Address
  reply_to_list?: Address[]
  subject?: string
  content?: { type: string; value: string }[]
  attachments?: { filename: string; type?: string; content: string }[]
  headers?: Record<string, string>
  categories?: string[]
  custom_args?: string | Record<string, string>
  send_at?: number
  mail_settings?: { sandbox_mode?: { enable?: boolean } }
  tracking_settings?: { click_tracking?: { enable?: boolean } }
}

const MOST_RECIPIENTS = 1_000
const MOST_ARGUMENTS = 10_000
/** The longest that a mail may wait to be sent. */
const LONGEST_WAIT = 72 * 3_600
/** Headers that belong to SendGrid. */
const RESERVED =
  /^(x-sg-id|x-sg-eid|received|dkim-signature|content-type|content-transfer-encoding|to|from|subject|reply-to|cc|bcc)$/i
const ORDER = ['text/plain', 'text/html']

/** `POST mail/send`: 202 means that it waits to be sent, not that it arrived */
export function sendMail(state: SendgridState, body: unknown, tell: (mail: SentMail) => void): Answer {
  const mail = fieldsOf(body) as MailBody
  check(state, mail)
  // validated, and nothing is sent
  if (mail.mail_settings?.sandbox_mode?.enable) return { status: 200 }
  const messageId = state.random.text(22)
  const mails = (mail.personalizations ?? []).map(
    (to): SentMail => ({
      messageId,
      from: to.from ?? (mail.from as Address),
      to: to.to ?? [],
      cc: to.cc ?? [],
      bcc: to.bcc ?? [],
      replyTo: mail.reply_to ? [mail.reply_to] : (mail.reply_to_list ?? []),
      subject: to.subject ?? mail.subject ?? '',
      contents: mail.content ?? [],
      headers: { ...mail.headers, ...to.headers },
      customArgs: { ...argumentsOf(mail), ...to.custom_args },
      categories: mail.categories ?? [],
      attachments: mail.attachments ?? [],
      tracksClicks: mail.tracking_settings?.click_tracking?.enable ?? true,
      sentAt: state.clock(),
      state: null,
    }),
  )
  state.mails.push(...mails)
  for (const sent of mails) tell(sent)
  return { status: 202, headers: { 'x-message-id': messageId } }
}

function check(state: SendgridState, mail: MailBody): void {
  const { personalizations = [], content = [], reply_to, reply_to_list, headers } = mail
  const refuse = (message: string, field: string) => refuseSendgrid(400, message, field)
  if (personalizations.length === 0)
    throw refuse(
      'The personalizations field is required and must have at least one personalization.',
      'personalizations',
    )
  const recipients = personalizations.flatMap(({ to = [], cc = [], bcc = [] }) => [...to, ...cc, ...bcc])
  if (recipients.length > MOST_RECIPIENTS)
    throw refuse(`At most ${MOST_RECIPIENTS} recipients are allowed.`, 'personalizations')
  for (const [at, one] of personalizations.entries()) checkPersonalization(state, mail, one, `personalizations.${at}`)
  if (reply_to && reply_to_list)
    throw refuse('The reply_to and reply_to_list fields can’t be used together.', 'reply_to_list')
  if (content.length === 0)
    throw refuse('Unless a valid template_id is provided, the content parameter is required.', 'content')
  const types = content.map(({ type }) => ORDER.indexOf(type)).filter((place) => place >= 0)
  if (types.some((place, at) => place < (types[at - 1] ?? 0)))
    throw refuse(
      'If present, text/plain must be first, followed by text/html, followed by any other content.',
      'content',
    )
  checkHeaders(headers, 'headers')
  if (Buffer.byteLength(JSON.stringify(argumentsOf(mail))) > MOST_ARGUMENTS)
    throw refuse(`The custom_args can’t be larger than ${MOST_ARGUMENTS} bytes.`, 'custom_args')
  mail.attachments?.forEach(({ content: bytes }, at) => {
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(bytes) || bytes.length % 4 !== 0)
      throw refuse('The attachment content must be base64 encoded.', `attachments.${at}.content`)
  })
  checkTime(state, mail.send_at, 'send_at')
  if (!isVerified(state, mail.from?.email ?? ''))
    throw refuseSendgrid(
      403,
      'The from address does not match a verified Sender Identity. Mail cannot be sent until this error is resolved.',
      'from',
    )
}

function checkPersonalization(state: SendgridState, mail: MailBody, one: Personalization, path: string): void {
  const { to = [], cc = [], bcc = [], headers, send_at } = one
  const subject = one.subject ?? mail.subject
  if (to.length === 0)
    throw refuseSendgrid(400, 'The to array is required for all personalization objects.', `${path}.to`)
  const seen = new Set<string>()
  for (const [field, list] of Object.entries({ to, cc, bcc }))
    for (const [at, { email }] of list.entries()) {
      if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
        throw refuseSendgrid(400, 'Does not contain a valid address.', `${path}.${field}.${at}.email`)
      if (seen.has(email.toLowerCase()))
        throw refuseSendgrid(
          400,
          'Each email address in the personalization block should be unique between to, cc, and bcc.',
          path,
        )
      seen.add(email.toLowerCase())
    }
  if (!subject)
    throw refuseSendgrid(
      400,
      'The subject is required. You can get around this requirement with a template.',
      'subject',
    )
  if (/[\r\n]/.test(subject)) throw refuseSendgrid(400, 'The subject can’t contain CR or LF characters.', 'subject')
  checkHeaders(headers, `${path}.headers`)
  checkTime(state, send_at, `${path}.send_at`)
}

function checkHeaders(headers: Record<string, string> | undefined, field: string): void {
  const reserved = Object.keys(headers ?? {}).find((name) => RESERVED.test(name))
  if (reserved !== undefined)
    throw refuseSendgrid(400, `The header ${reserved} can’t be overridden.`, `${field}.${reserved}`)
}

function checkTime({ clock }: SendgridState, send_at: number | undefined, field: string): void {
  if (send_at !== undefined && send_at - clock().getTime() / 1_000 > LONGEST_WAIT)
    throw refuseSendgrid(400, 'Scheduled sends more than 72 hours ahead are not possible.', field)
}

export const isVerified = ({ senders }: SendgridState, email: string): boolean =>
  senders.some((sender) =>
    sender.startsWith('@') ? email.toLowerCase().endsWith(sender) : email.toLowerCase() === sender,
  )

/** The document calls it a text; it is JSON in that text. */
function argumentsOf({ custom_args }: MailBody): Record<string, string> {
  if (typeof custom_args !== 'string') return custom_args ?? {}
  try {
    return fieldsOf(JSON.parse(custom_args)) as Record<string, string>
  } catch {
    throw new Refusal(refuseSendgrid(400, 'The custom_args must be an object.', 'custom_args').answer)
  }
}
