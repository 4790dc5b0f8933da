import { z } from 'zod'
import { type Choice, choiceCaps } from '../../../contracts/integrations'
import type { ChoiceList } from '../defineVendor'

const meSchema = z.object({ resource: z.object({ uri: z.string().max(500) }) })
const typesSchema = z.object({
  collection: z.array(
    z.object({
      uri: z.string().max(500),
      name: z.string().catch(''),
      duration: z.number().optional().catch(undefined),
    }),
  ),
  pagination: z.object({ next_page_token: z.string().nullish() }).optional().catch(undefined),
})

/** What can be booked with the connected person: the active ones. */
export const listEventTypes: ChoiceList = async (call, { settings }) => {
  const { apiUrl } = settings.calendly
  const me = meSchema.parse(await call({ method: 'GET', url: `${apiUrl}/users/me`, kind: 'read' }))
  const found: Choice[] = []
  let page: string | null | undefined
  do {
    const query = { user: me.resource.uri, active: 'true', count: '100', ...(page && { page_token: page }) }
    const answer = typesSchema.parse(await call({ method: 'GET', url: `${apiUrl}/event_types`, query, kind: 'read' }))
    for (const { uri, name, duration } of answer.collection)
      found.push({ id: uri, label: duration === undefined ? name : `${name} (${duration} min)` })
    page = answer.collection.length > 0 ? answer.pagination?.next_page_token : null
  } while (page && found.length < choiceCaps.most)
  return found.slice(0, choiceCaps.most)
}
