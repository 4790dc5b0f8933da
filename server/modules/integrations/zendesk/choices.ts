import { z } from 'zod'
import { type Choice, choiceCaps } from '../../../contracts/integrations'
import type { ChoiceList } from '../defineVendor'
import { readPages } from './pages'

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
})

/** Most characters of the values that a field takes, in words. */
const VALUES = 400
const hints: Readonly<Record<string, string>> = {
  checkbox: 'true, false',
  integer: '1234',
  decimal: '1234.5',
  date: '2026-12-31',
}

/** The fields that the account has made; the id of a choice is `<id>:<type>`, the detail says what a field takes. */
export const listFields: ChoiceList = async (call) => {
  const found: Choice[] = []
  await readPages(call, { url: '/api/v2/ticket_fields' }, (answer) => {
    for (const field of fieldsSchema.parse(answer).ticket_fields) {
      const { id, type, title, active, removable, custom_field_options } = field
      if (!active || !removable) continue
      const values = custom_field_options.map(({ name, value }) =>
        name && name !== value ? `${value} (${name})` : value,
      )
      const detail = values.join(', ') || hints[type] || ''
      found.push({ id: `${id}:${type}`, label: title || `${id}`, ...(detail && { detail: detail.slice(0, VALUES) }) })
    }
  })
  return found.sort((a, b) => a.label.localeCompare(b.label)).slice(0, choiceCaps.most)
}
