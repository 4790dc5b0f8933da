import { connect as connectPlain, isIP } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import type { ImapFlow, ImapTransport } from 'imapflow'
import { INBOUND_MAIL_CAP } from '../../../contracts/mailInbox'
import { type AllowedNetwork, refusalOf } from '../../../platform/outbound/addresses'
import { OutboundError } from '../../../platform/outbound/errors'
import { guardLookup } from '../../../platform/outbound/guardLookup'

export interface MailboxAccess {
  host: string
  port: number
  username: string
  password: string
  folder: string
}

/** Where a mailbox was read up to: UIDs count within a UIDVALIDITY (RFC 9051, 2.3.1.1). */
export interface MailboxPlace {
  validity: string | null
  uid: number
}

/** Milliseconds. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
/** IMAP with TLS from the start (RFC 8314). On other ports it is upgraded, and must be unless it is this machine. */
const SECURE_PORT = 993
/** Mails that are read at once. */
const MOST_READ = 25

/**
 * Connects to addresses that a project may call alone, as its other calls do: each address that the name has is judged,
 * and the one that is connected to.
 */
function guardedTransport(allowed: readonly AllowedNetwork[]): ImapTransport {
  return {
    connect({ host, port, secure, servername, tls }, onConnect) {
      const address = isIP(host) ? host : /(?:^|\.)localhost\.?$/i.test(host) ? '127.0.0.1' : null
      const refusal = address && refusalOf(address, allowed)
      if (refusal) throw new OutboundError(refusal, host)
      const to = { host, port, lookup: guardLookup(allowed) }
      const connected = () => {
        const refused = refusalOf(socket.remoteAddress ?? '', allowed)
        if (refused) socket.destroy(new OutboundError(refused, host))
        else onConnect()
      }
      const socket = secure
        ? connectSecure({ ...tls, ...to, ...(servername && { servername }) }, connected)
        : connectPlain(to, connected)
      return socket
    },
    upgrade: (socket, { servername, tls }, onSecure) =>
      connectSecure({ ...tls, socket, ...(servername && { servername }) }, onSecure),
  }
}

async function open(access: MailboxAccess, allowed: readonly AllowedNetwork[]): Promise<ImapFlow> {
  // loaded with the first mailbox: most servers have none
  const { ImapFlow } = await import('imapflow')
  const { host, port, username, password } = access
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)
  const client = new ImapFlow({
    host,
    port,
    secure: port === SECURE_PORT,
    ...(port !== SECURE_PORT && !isHere && { doSTARTTLS: true }),
    auth: { user: username, pass: password },
    logger: false,
    transport: guardedTransport(allowed),
    ...TIMEOUTS,
  })
  // a connection that breaks later also rejects what is waited for
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Whether one can log in and open the folder. @throws with the server's words where not */
export async function checkMailbox(access: MailboxAccess, allowed: readonly AllowedNetwork[]): Promise<MailboxPlace> {
  const client = await open(access, allowed)
  try {
    const { uidValidity, uidNext } = await client.mailboxOpen(access.folder, { readOnly: true })
    return { validity: String(uidValidity), uid: Number(uidNext) - 1 }
  } finally {
    await client.logout().catch(() => client.close())
  }
}

/**
 * Hands over the mails that came after a place, one after the other, and leaves the mailbox as it is. A mailbox that
 * was made anew is read from its end.
 * @param take called for each; `source` null: the mail is too large
 * @returns how far it was read, and whether there is more
 */
export async function readMailbox(
  access: MailboxAccess,
  allowed: readonly AllowedNetwork[],
  from: MailboxPlace,
  take: (mail: { uid: number; source: Buffer | null }) => Promise<void>,
): Promise<MailboxPlace & { more: boolean }> {
  const client = await open(access, allowed)
  try {
    const { uidValidity, uidNext } = await client.mailboxOpen(access.folder, { readOnly: true })
    const validity = String(uidValidity)
    const last = Number(uidNext) - 1
    if (from.validity !== validity) return { validity, uid: last, more: false }
    if (last <= from.uid) return { validity, uid: from.uid, more: false }
    const found: { uid: number; size: number }[] = []
    for await (const { uid, size = 0 } of client.fetch(`${from.uid + 1}:*`, { uid: true, size: true }, { uid: true }))
      if (uid > from.uid) found.push({ uid, size })
    let at = from.uid
    const some = found.sort((a, b) => a.uid - b.uid).slice(0, MOST_READ)
    for (const { uid, size } of some) {
      const isLarge = size > INBOUND_MAIL_CAP
      const mail = isLarge ? false : await client.fetchOne(String(uid), { source: true }, { uid: true })
      await take({ uid, source: mail ? (mail.source ?? null) : null })
      at = uid
    }
    return { validity, uid: at, more: found.length > some.length }
  } finally {
    await client.logout().catch(() => client.close())
  }
}
