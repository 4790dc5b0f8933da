import { z } from 'zod'
import type { Json } from '../../../../engine/values/json'
import { type Choice, choiceCaps } from '../../../contracts/integrations'
import type { ChoiceList } from '../defineVendor'
import { readPages } from './pages'

/** What the connected account does when it lists them, in messages. */
export const seen = { groups: 'to see groups', brands: 'to see brands', forms: 'to see ticket forms' } as const

const id = z.int()
const name = z.string().catch('')
const groupsSchema = z.object({ groups: z.array(z.object({ id, name, deleted: z.boolean().catch(false) })) })
const brandsSchema = z.object({
  brands: z.array(z.object({ id, name, active: z.boolean().catch(true), is_deleted: z.boolean().catch(false) })),
})
const formsSchema = z.object({ ticket_forms: z.array(z.object({ id, name, active: z.boolean().catch(true) })) })

/** Groups that a ticket can be given to: their members see it. */
export const listGroups = listOf('/api/v2/groups', seen.groups, (answer) =>
  groupsSchema.parse(answer).groups.filter(({ deleted }) => !deleted),
)

/** Brands in whose name a ticket is answered. */
export const listBrands = listOf('/api/v2/brands', seen.brands, (answer) =>
  brandsSchema.parse(answer).brands.filter(({ active, is_deleted }) => active && !is_deleted),
)

/** Forms, by which agents see a ticket's fields. */
export const listForms = listOf('/api/v2/ticket_forms', seen.forms, (answer) =>
  formsSchema.parse(answer).ticket_forms.filter(({ active }) => active),
)

function listOf(url: string, about: string, read: (answer: Json) => { id: number; name: string }[]): ChoiceList {
  return async (call) => {
    const found: Choice[] = []
    await readPages(call, { url, about }, (answer) => {
      for (const one of read(answer)) found.push({ id: `${one.id}`, label: one.name || `${one.id}` })
    })
    return found.sort((a, b) => a.label.localeCompare(b.label)).slice(0, choiceCaps.most)
  }
}
