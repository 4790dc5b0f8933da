import type { MailSettings, SendgridSettings } from '../config/mailSettings'
import { OutboundError } from '../outbound/errors'
import { operatorNetworks } from '../outbound/operatorNetworks'
import { createOutboundFetch } from '../outbound/outboundFetch'
import type { Deliver, Delivery, OutgoingMail } from './smtp'

type Settings = SendgridSettings & Pick<MailSettings, 'mailFrom'>

const TIMEOUT_MS = 20_000
/** Answers hold a line or two. */
const MOST_BYTES = 20_000

/**
 * Sends by SendGrid's Web API v3. It takes no idempotency key: a mail whose answer got lost is sent again with the same
 * Message-ID, and `parley_id` brings what is told of it back to its row. Links are not rewritten and no footer is
 * added; whether opening is told is a setting of the account. Never throws.
 */
export function createSendgrid(settings: Settings, clock: () => Date): Deliver {
  const fetch = createOutboundFetch()
  const url = `${settings.apiUrl}/v3/mail/send`
  return async (mail, signal) => {
    try {
      const { status, headers, body } = await fetch({
        url,
        method: 'POST',
        headers: [
          ['authorization', `Bearer ${settings.apiKey}`],
          ['content-type', 'application/json'],
        ],
        body: JSON.stringify(bodyOf(mail, settings)),
        timeoutMs: TIMEOUT_MS,
        maxBytes: MOST_BYTES,
        maxRedirects: 0,
        signal,
        allowed: operatorNetworks(url),
      })
      if (status === 202) return { ok: true, refused: [] }
      return failureOf(status, messageOf(body), waitOf(headers, clock()))
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      return { ok: false, reason: `SendGrid could not be reached: ${error.message}`, transient: true }
    }
  }
}

/** Why SendGrid did not take a mail, and what to do, by status; others are its fault and pass. */
const remedies: Readonly<Record<number, (said: string) => string>> = {
  400: (said) => `SendGrid refused the email: ${said}`,
  401: () => 'SendGrid does not accept the key. Whoever runs Parley can correct SENDGRID_API_KEY.',
  403: (said) =>
    `SendGrid may not send this: ${said} Verify the address of MAIL_FROM as a sender in SendGrid, and give the key the permission “Mail Send”.`,
  404: () => 'There is no SendGrid at this address. Whoever runs Parley can correct SENDGRID_API_URL.',
  413: () => 'The email is larger than the 30 MB that SendGrid takes. Shorten it.',
  429: () => 'SendGrid limits how many emails can be sent at once. Try again later.',
}

function failureOf(status: number, said: string, waitMs: number): Delivery {
  const remedy = remedies[status]
  if (status === 429) return { ok: false, reason: remedies[429]?.(said) ?? said, transient: true, waitMs }
  if (remedy) return { ok: false, reason: remedy(said), transient: false }
  return { ok: false, reason: `SendGrid failed (${status}). Try again later.`, transient: status >= 500 }
}

/** The first sentence of an answer that refuses, as far as it can be read. */
function messageOf(body: Uint8Array): string {
  try {
    const { errors } = JSON.parse(Buffer.from(body).toString()) as { errors?: { message?: unknown; field?: unknown }[] }
    const { message, field } = errors?.[0] ?? {}
    if (typeof message !== 'string') return 'no reason was given.'
    const where = typeof field === 'string' ? ` (${field.slice(0, 100)})` : ''
    return `${message.replace(/\s+/g, ' ').slice(0, 400)}${where}`
  } catch {
    return 'no reason was given.'
  }
}

/** Milliseconds until the limit ends: `X-RateLimit-Reset` is a time in seconds, `Retry-After` a number of them. */
function waitOf(headers: Record<string, string>, now: Date): number {
  const given = Number(headers['retry-after'] ?? headers['x-ratelimit-reset'])
  if (!Number.isFinite(given)) return 0
  const seconds = given > 1e9 ? given - now.getTime() / 1_000 : given
  return Math.max(0, seconds * 1_000)
}

function bodyOf(mail: OutgoingMail, { mailFrom }: Settings) {
  const name = mail.fromName || mailFrom.name
  const named = new Set<string>()
  // the same address twice is refused
  const once = (list: readonly string[]) =>
    list.flatMap((email) => {
      const isNew = !named.has(email.toLowerCase())
      named.add(email.toLowerCase())
      return isNew ? [{ email }] : []
    })
  const [to, cc, bcc] = [once(mail.to), once(mail.cc), once(mail.bcc)]
  return {
    personalizations: [
      { to, ...(cc.length > 0 && { cc }), ...(bcc.length > 0 && { bcc }), custom_args: { parley_id: mail.messageId } },
    ],
    from: { email: mailFrom.address, ...(name && { name }) },
    ...(mail.replyTo.length > 0 && { reply_to_list: [...new Set(mail.replyTo)].map((email) => ({ email })) }),
    subject: mail.subject || '(no subject)',
    content: [
      { type: 'text/plain', value: mail.text || ' ' },
      { type: 'text/html', value: mail.html },
    ],
    headers: headersOf(mail),
    tracking_settings: {
      click_tracking: { enable: false, enable_text: false },
      subscription_tracking: { enable: false },
    },
  }
}

function headersOf({ messageId, test, thread }: OutgoingMail): Record<string, string> {
  const last = thread?.before.at(-1)
  return {
    'Message-ID': messageId,
    ...(test && { 'X-Parley-Test': '1' }),
    ...(last && { 'In-Reply-To': last, References: (thread?.before ?? []).join(' ') }),
    ...(thread?.unsubscribe && {
      'List-Unsubscribe': `<${thread.unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  }
}
