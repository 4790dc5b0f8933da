import { X509Certificate } from 'node:crypto'
import { z } from 'zod'
import type { AcmeClient } from './acmeClient'

const windowSchema = z.object({
  suggestedWindow: z.object({ start: z.coerce.date(), end: z.coerce.date() }),
})
/** The least time between two requests for renewal information, whatever the authority asks for. */
const LEAST_WAIT = 60_000
const MOST_WAIT = 24 * 60 * 60_000

export interface Renewal {
  renewAt: Date
  /** when to ask again */
  askAt: Date
}

/** Two thirds of a certificate's lifetime, for any lifetime. */
export function twoThirds(pem: string): Date {
  const { validFrom, validTo } = new X509Certificate(pem)
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)]
  return new Date(from + ((to - from) * 2) / 3)
}

/**
 * When to renew a certificate: in the window that its authority suggests (RFC 9773), else after two thirds of its
 * lifetime.
 * @param chosen the time chosen before, which is kept if it lies in the window
 * @param random chooses a new time in the window
 */
export async function renewalOf(
  client: AcmeClient,
  pem: string,
  { now, chosen, random = Math.random }: { now: Date; chosen: Date | null; random?: () => number },
): Promise<Renewal> {
  const usual = { renewAt: twoThirds(pem), askAt: new Date(now.getTime() + MOST_WAIT) }
  const { renewalInfo } = await client.directory()
  const id = renewalId(pem)
  if (!renewalInfo || !id) return usual
  const answer = await client.get(`${renewalInfo.replace(/\/$/, '')}/${id}`)
  const read = windowSchema.safeParse(answer.body)
  if (answer.status !== 200 || !read.success) return usual
  const { start, end } = read.data.suggestedWindow
  if (end < start) return usual
  const wait = (answer.retryAfter?.getTime() ?? now.getTime() + MOST_WAIT / 4) - now.getTime()
  const askAt = new Date(now.getTime() + Math.min(Math.max(wait, LEAST_WAIT), MOST_WAIT))
  const stays = chosen !== null && chosen >= start && chosen <= end
  const renewAt = stays ? chosen : new Date(start.getTime() + (end.getTime() - start.getTime()) * random())
  return { renewAt, askAt }
}

/** The extension with the issuer's key identifier: OID, then OCTET STRING, SEQUENCE, [0]. */
const AUTHORITY_KEY = Buffer.from([0x06, 0x03, 0x55, 0x1d, 0x23])

/**
 * A certificate's identifier for its authority (RFC 9773, 4.1): the issuer's key identifier and the serial number. Null
 * if it does not name the issuer's key.
 */
export function renewalId(pem: string): string | null {
  const { raw, serialNumber } = new X509Certificate(pem)
  const at = raw.indexOf(AUTHORITY_KEY)
  if (at < 0) return null
  const inner = at + AUTHORITY_KEY.length
  const [octets, , sequence, , tag, length = 0] = raw.subarray(inner, inner + 6)
  if (octets !== 0x04 || sequence !== 0x30 || tag !== 0x80 || length > 0x7f) return null
  const serial = Buffer.from(serialNumber.padStart(serialNumber.length + (serialNumber.length % 2), '0'), 'hex')
  // a leading one bit would make the number negative
  const number = (serial[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), serial]) : serial
  return `${raw.subarray(inner + 6, inner + 6 + length).toString('base64url')}.${number.toString('base64url')}`
}
