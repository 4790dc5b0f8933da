import { z } from 'zod'
import type { Json } from '../../../../engine/values/json'
import { VendorError } from '../calls/vendorError'
import { seen } from './places'

/** Zendesk says `error` as a text in most places, and as an object in some. */
const errorSchema = z.object({
  error: z.union([z.string(), z.object({ title: z.string().catch(''), message: z.string().catch('') })]).catch(''),
  description: z.string().catch(''),
  error_description: z.string().catch(''),
  message: z.string().catch(''),
  details: z
    .record(z.string(), z.array(z.object({ description: z.string().catch(''), error: z.string().catch('') })))
    .catch({}),
})
const NOTHING = { error: '', description: '', error_description: '', message: '', details: {} }

const lists: ReadonlySet<string> = new Set(Object.values(seen))

/** What an answer of Zendesk's that is no success means. */
export function explain(status: number, body: Json, about: string): VendorError {
  const { error, details, ...said } = errorSchema.safeParse(body).data ?? NOTHING
  const title = typeof error === 'string' ? error : error.title
  const detail = (typeof error === 'string' ? '' : error.message) || said.description || said.message
  if (status === 429) return new VendorError('busy', 'Zendesk')
  if (status === 401) return new VendorError('reconnect', 'Zendesk')
  // lists that only help to choose: a connection made before they were asked for does all else
  if (status === 403 && lists.has(about))
    return new VendorError('forbidden', `${about}. Connect it again to allow that.`)
  if (status === 403 && /scope/i.test(`${title} ${detail}`))
    return new VendorError('scope', 'to see and change tickets')
  if (status === 403) return new VendorError('forbidden', detail || title || about)
  if (status === 404) return new VendorError('not_found', about)
  if (status === 409) return new VendorError('changed', about)
  if (status >= 500) return new VendorError('unavailable', `status ${status}`, { isUncertain: status !== 503 })
  const named = Object.values(details)
    .flat()
    .map((one) => one.description || one.error)
    .filter((text) => text !== '')
  return new VendorError('refused', named.join(' ') || detail || title || `status ${status}`)
}
