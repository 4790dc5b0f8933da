import { z } from 'zod'
import type { Json } from '../../../../engine/values/json'
import type { VendorCall, VendorRequest } from '../defineVendor'

/** Most pages that are read of a list, a hundred each. */
const PAGES = 10
const metaSchema = z.object({
  meta: z.object({ has_more: z.boolean(), after_cursor: z.string().nullish() }).optional(),
})

/** Reads a list page by page, by its cursor. */
export async function readPages(
  call: VendorCall,
  request: Omit<VendorRequest, 'query' | 'method' | 'kind'>,
  take: (answer: Json) => void,
): Promise<void> {
  let after: string | undefined
  for (let page = 0; page < PAGES; page++) {
    const query: Record<string, string> = { 'page[size]': '100', ...(after && { 'page[after]': after }) }
    const answer = await call({ ...request, method: 'GET', kind: 'read', query })
    take(answer)
    const { meta } = metaSchema.parse(answer)
    after = meta?.has_more ? (meta.after_cursor ?? undefined) : undefined
    if (after === undefined) return
  }
}
