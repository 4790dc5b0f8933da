import { z } from 'zod'
import { type Choice, choiceCaps } from '../../../contracts/integrations'
import type { ChoiceList } from '../defineVendor'

const fieldsSchema = z.object({
  ticket_fields: z.array(
    z.object({
      id: z.int(),
      type: z.string().max(50),
      title: z.string().catch(''),
      active: z.boolean().catch(true),
      /** false: the account can't remove it, since it is Zendesk's own */
      removable: z.boolean().catch(true),
      custom_field_options: z.array(z.object({ name: z.string().catch(''), value: z.string() })).catch([]),
    }),
  ),
  meta: z.object({ has_more: z.boolean(), after_cursor: z.string().nullish() }).optional(),
})

/** Most characters of the values that a field takes, in words. */
const VALUES = 400
const PAGES = 10
const hints: Readonly<Record<string, string>> = {
  checkbox: 'true, false',
  integer: '1234',
  decimal: '1234.5',
  date: '2026-12-31',
}

/** The fields that the account has made; the id of a choice is `<id>:<type>`, the detail says what a field takes. */
export const listFields: ChoiceList = async (call) => {
  const found: Choice[] = []
  let after: string | undefined
  for (let page = 0; page < PAGES; page++) {
    const query: Record<string, string> = { 'page[size]': '100', ...(after && { 'page[after]': after }) }
    const answer = await call({ method: 'GET', url: '/api/v2/ticket_fields', query, kind: 'read' })
    const { ticket_fields, meta } = fieldsSchema.parse(answer)
    for (const { id, type, title, active, removable, custom_field_options } of ticket_fields) {
      if (!active || !removable) continue
      const values = custom_field_options.map(({ name, value }) =>
        name && name !== value ? `${value} (${name})` : value,
      )
      const detail = values.join(', ') || hints[type] || ''
      found.push({ id: `${id}:${type}`, label: title || `${id}`, ...(detail && { detail: detail.slice(0, VALUES) }) })
    }
    after = meta?.has_more ? (meta.after_cursor ?? undefined) : undefined
    if (after === undefined) break
  }
  return found.sort((a, b) => a.label.localeCompare(b.label)).slice(0, choiceCaps.most)
}
