import type { Transporter } from 'nodemailer'
import type { Config } from '../config/config'
import type { MailContent } from './content'

/** Where a mail stands among others. */
export interface MailThread {
  /** Message-IDs of the mails before it, the newest last */
  before: readonly string[]
  /** what ends such mails: a page for people, which takes a POST of mail programs as well (RFC 8058); null: nothing */
  unsubscribe: string | null
}

export interface OutgoingMail extends MailContent {
  messageId: string
  /** sent by a test, and marked as such by a header */
  test?: boolean
  thread?: MailThread
  html: string
  text: string
}

/**
 * The result of an attempt. `refused`: recipients that the server rejected while it accepted others. `waitMs`: how long
 * the service wants to be left alone.
 */
export type Delivery =
  | { ok: true; refused: string[] }
  | { ok: false; reason: string; transient: boolean; waitMs?: number }
/** One attempt; the signal ends it, which is needed for servers that answer byte by byte. */
export type Deliver = (mail: OutgoingMail, signal: AbortSignal) => Promise<Delivery>

/** Milliseconds. */
export const smtpTimeouts = { connect: 10_000, silence: 20_000 }

/**
 * Sends over the server of SMTP_URL. `smtps:` uses TLS from the start; `smtp:` upgrades if the server offers it, and
 * must if a password is sent to another machine. `?verify=no` accepts any certificate. Never throws.
 */
export function createSmtp({ smtpUrl, mailFrom }: Config & { smtpUrl: string }, timeouts = smtpTimeouts): Deliver {
  let loading: Promise<Transporter> | null = null
  return async (mail, signal) => {
    try {
      loading ??= connect(smtpUrl, timeouts)
      const transport = await loading
      const { rejected = [] } = await transport.sendMail({
        from: { name: mail.fromName || mailFrom.name, address: mailFrom.address },
        to: mail.to.map(plain),
        cc: mail.cc.map(plain),
        bcc: mail.bcc.map(plain),
        replyTo: mail.replyTo.map(plain),
        subject: mail.subject,
        html: mail.html,
        text: mail.text,
        messageId: mail.messageId,
        ...headersOf(mail),
        signal,
      })
      return { ok: true, refused: rejected.map(String) }
    } catch (error) {
      if (signal.aborted)
        return { ok: false, reason: 'The mail server did not accept the email in time.', transient: true }
      return failureOf(error)
    }
  }
}

/** Headers beside those that every mail has. */
function headersOf({ test, thread }: OutgoingMail) {
  const last = thread?.before.at(-1)
  return {
    ...(last && { inReplyTo: last, references: [...(thread?.before ?? [])] }),
    headers: {
      ...(test && { 'X-Parley-Test': '1' }),
      ...(thread?.unsubscribe && {
        'List-Unsubscribe': `<${thread.unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}

/** As an object: a string would be parsed as a list of addresses. */
const plain = (address: string) => ({ name: '', address })

async function connect(smtpUrl: string, timeouts: typeof smtpTimeouts): Promise<Transporter> {
  // loaded with the first mail: most servers start without needing it
  const { createTransport } = await import('nodemailer')
  const { protocol, hostname, port, username, password, searchParams } = new URL(smtpUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  const secure = protocol === 'smtps:'
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)
  return createTransport({
    host,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && username !== '' && !isHere,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    tls: { rejectUnauthorized: searchParams.get('verify') !== 'no' },
    connectionTimeout: timeouts.connect,
    greetingTimeout: timeouts.connect,
    dnsTimeout: timeouts.connect,
    socketTimeout: timeouts.silence,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Error codes of connections that failed or broke; the server may be available again in a moment. */
const BROKEN = new Set(['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'EDNS', 'EABORT', 'ETLS'])

function failureOf(error: unknown): Delivery {
  const { message, response, permanent, code } = error as Partial<Record<'message' | 'response' | 'code', string>> & {
    permanent?: boolean
  }
  const reason = (response || message || String(error)).replace(/\s+/g, ' ').slice(0, 500)
  return { ok: false, reason, transient: permanent === undefined ? BROKEN.has(code ?? '') : !permanent }
}
