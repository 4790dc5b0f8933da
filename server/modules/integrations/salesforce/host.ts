import { z } from 'zod'
import type { Json } from '../../../../engine/values/json'
import { VendorError } from '../calls/vendorError'

/** What a token's answer says of where its calls go. */
const grantedSchema = z.object({ instance_url: z.string().max(500) })

const OWN = /(?:^|\.)(?:salesforce\.com|force\.com|salesforce\.mil)$/

/**
 * The host of the organisation that a token is for: Salesforce's own, or the one where people log in. Nothing else gets
 * a token, whoever names it.
 * @param loginUrl the installation's address of the log-in
 * @throws VendorError unreadable
 */
export function instanceHost(granted: Json, loginUrl: string): string {
  const named = grantedSchema.safeParse(granted).data?.instance_url ?? ''
  if (!URL.canParse(named)) throw new VendorError('unreadable', 'Salesforce')
  const { protocol, hostname, port, origin, username, password } = new URL(named)
  const isOwn = protocol === 'https:' && port === '' && OWN.test(hostname)
  const isPlain = username === '' && password === ''
  if (!isPlain || !(isOwn || origin === new URL(loginUrl).origin)) throw new VendorError('foreign_host', hostname)
  return origin
}
