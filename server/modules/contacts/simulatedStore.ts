import { sql } from 'kysely'
import { z } from 'zod'
import { contactsEffect } from '../../../engine/effects/contacts'
import { testEffectsOf } from '../../../engine/flow/testEffects'
import type { Json } from '../../../engine/values/json'
import type { ServerContext } from '../../platform/context'
import type { Db } from '../../platform/database/database'
import { type ContactStore, type KnownContact, newContact, withFields } from './contactStore'
import { findContact } from './tableStore'

/** Contacts changed by a test; null: deleted. In order of their last change. */
type Changes = Map<string, KnownContact | null>

/**
 * The contacts as a test would have left them: the project's own, overlaid with the conversation's simulated changes,
 * which are read from the record of its calls. So it survives a crash, and going back to an earlier turn reverts later
 * changes. Writes nothing.
 */
export async function simulatedStore(
  { db, ids }: { db: Db } & Pick<ServerContext, 'ids'>,
  run: { run_id: string; project_id: string },
): Promise<ContactStore> {
  const changes = await changesSoFar(db, run)
  const put = (id: string, contact: KnownContact | null) => {
    changes.delete(id)
    changes.set(id, contact)
  }
  return {
    async find(key) {
      const own = [...changes.values()].findLast(
        (contact) => contact?.fields[key.field]?.toLowerCase() === key.value.toLowerCase(),
      )
      return own ?? findContact(db, run.project_id, key, { except: [...changes.keys()], own: null })
    },
    async insert(request) {
      const made = newContact(ids(), request)
      put(made.id, made)
      return made
    },
    async change(found, request) {
      const changed = withFields(found, request)
      put(changed.id, changed)
      return changed
    },
    remove: async ({ id }) => put(id, null),
  }
}

const contactSchema = z.object({
  contact: z.object({
    id: z.string(),
    fields: z.record(z.string(), z.string().nullable()),
    custom: z.record(z.string(), z.string()),
  }),
})

async function changesSoFar(db: Db, { run_id, project_id }: { run_id: string; project_id: string }): Promise<Changes> {
  const calls = await db
    .selectFrom('effects')
    .select('result')
    .where('run_id', '=', run_id)
    .where('project_id', '=', project_id)
    .where('type', '=', 'call')
    .where('status', '=', 'done')
    .where(sql`request ->> 'service'`, '=', contactsEffect.name)
    .orderBy('turn')
    .orderBy('position')
    .execute()
  const changes: Changes = new Map()
  for (const { result } of calls) {
    const [effect] = testEffectsOf(result)
    const contact = contactOf(result)
    // real changes are in the table
    if (effect?.type !== 'contact' || !contact) continue
    changes.delete(contact.id)
    if (!effect.carriedOut) changes.set(contact.id, effect.action === 'delete' ? null : contact)
  }
  return changes
}

const contactOf = (result: Json): KnownContact | null => contactSchema.safeParse(result).data?.contact ?? null
