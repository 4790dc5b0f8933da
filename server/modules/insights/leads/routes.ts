import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { z } from 'zod'
import { chatbotOf } from '../../../access/chatbots'
import { registerRoute } from '../../../access/register'
import { rolesOf } from '../../../access/roles'
import {
  deleteLead,
  LEADS_PER_PAGE,
  type Lead,
  type LeadStatus,
  leadStatuses,
  listLeads,
  updateLead,
} from '../../../contracts/leads'
import type { ServerContext } from '../../../platform/context'
import type { Db, ProjectDb } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import { leadChanged, leadDeleted } from '../events'

interface Place {
  projectId: string
  chatbotId: string
}
type Filter = z.infer<typeof listLeads.query>

/** @param count brings the leads of a project up to date */
export function registerLeads(
  app: FastifyInstance,
  context: ServerContext,
  count: (projectId: string) => Promise<void>,
): void {
  registerRoute(app, context, listLeads, async ({ caller: { db, project }, params, query }) => {
    const chatbot = await chatbotOf(db, project.id, params.cgid)
    await count(project.id)
    const place = { projectId: project.id, chatbotId: chatbot.id }
    const rows = await matching(db, place, query)
      .$if(query.status !== undefined, (leads) => leads.where('leads.status', '=', query.status ?? 'new'))
      .$if(query.before !== undefined, (leads) =>
        leads.where('leads.id', '<', ({ selectFrom }) =>
          selectFrom('leads as last')
            .select('last.id')
            .where('last.gid', '=', query.before ?? ''),
        ),
      )
      .select(shownColumns)
      .orderBy('leads.id', 'desc')
      .limit(LEADS_PER_PAGE + 1)
      .execute()
    return {
      leads: rows.slice(0, LEADS_PER_PAGE).map(presentLead),
      more: rows.length > LEADS_PER_PAGE,
      counts: await countByStatus(db, place, query),
      people: await possibleOwners(db),
    }
  })

  registerRoute(app, context, updateLead, async ({ caller: { db, project }, params, body, origin }) => {
    const chatbot = await chatbotOf(db, project.id, params.cgid)
    const owner = body.owner ? await ownerOf(db, body.owner) : null
    return db.transaction().execute(async (work) => {
      const changed = await work
        .updateTable('leads')
        .set({
          updated_at: context.clock(),
          ...(body.status !== undefined && { status: body.status }),
          ...(body.owner !== undefined && { owner_id: owner?.id ?? null }),
        })
        .where('gid', '=', params.gid)
        .where('chatbot_id', '=', chatbot.id)
        .where('deleted', '=', false)
        .returning('id')
        .executeTakeFirst()
      if (!changed) throw new ApiError('not_found')
      const row = await matching(work, { projectId: project.id, chatbotId: chatbot.id }, {})
        .where('leads.id', '=', changed.id)
        .select(shownColumns)
        .executeTakeFirstOrThrow()
      const lead = presentLead(row)
      const { gid, status } = lead
      await appendEvent(work, leadChanged, origin, { lead: gid, status, owner: lead.owner?.gid ?? null })
      return { lead }
    })
  })

  registerRoute(app, context, deleteLead, async ({ caller: { db, project }, params, origin }) => {
    const chatbot = await chatbotOf(db, project.id, params.cgid)
    await db.transaction().execute(async (work) => {
      const { numUpdatedRows } = await work
        .updateTable('leads')
        .set({ ...emptied, updated_at: context.clock() })
        .where('gid', '=', params.gid)
        .where('chatbot_id', '=', chatbot.id)
        .where('deleted', '=', false)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new ApiError('not_found')
      await appendEvent(work, leadDeleted, origin, { lead: params.gid })
    })
    return {}
  })
}

/** A deleted lead: nothing of the person is left. */
const emptied = { deleted: true, name: '', email: '', phone: '', answers: '[]', owner_id: null } as const

/** The leads that a filter lets through, whatever their status. */
const matching = (db: Db, { projectId, chatbotId }: Place, { source, owner, search }: Filter) =>
  db
    .selectFrom('leads')
    .leftJoin('conversations', (join) =>
      join
        .onRef('conversations.id', '=', 'leads.conversation_id')
        .onRef('conversations.project_id', '=', 'leads.project_id'),
    )
    .leftJoin('users', 'users.id', 'leads.owner_id')
    .where('leads.project_id', '=', projectId)
    .where('leads.chatbot_id', '=', chatbotId)
    .where('leads.deleted', '=', false)
    .$if(source !== undefined, (leads) => leads.where('leads.source', '=', source ?? 'form'))
    .$if(owner !== undefined, (leads) => leads.where('users.gid', '=', owner ?? ''))
    .$if(Boolean(search), (leads) => {
      const like = `%${(search ?? '').replace(/[\\%_]/g, '\\$&')}%`
      return leads.where(({ eb, or }) =>
        or([eb('leads.name', 'ilike', like), eb('leads.email', 'ilike', like), eb('leads.phone', 'ilike', like)]),
      )
    })

const shownColumns = [
  'leads.gid',
  'conversations.gid as conversation',
  'leads.source',
  'leads.environment',
  'leads.name',
  'leads.email',
  'leads.phone',
  'leads.answers',
  'leads.status',
  'leads.created_at',
  'users.gid as owner_gid',
  'users.first_name',
  'users.last_name',
] as const

interface LeadRow extends Omit<Lead, 'owner' | 'created_at'> {
  created_at: Date
  owner_gid: string | null
  first_name: string | null
  last_name: string | null
}

function presentLead({ owner_gid, first_name, last_name, created_at, ...lead }: LeadRow): Lead {
  return {
    ...lead,
    owner: owner_gid === null ? null : { gid: owner_gid, name: nameOf({ first_name, last_name }) },
    created_at: created_at.toISOString(),
  }
}

async function countByStatus(db: Db, place: Place, filter: Filter): Promise<Record<LeadStatus, number>> {
  const rows = await matching(db, place, filter)
    .select('leads.status')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .groupBy('leads.status')
    .execute()
  const counts = Object.fromEntries(leadStatuses.map((status) => [status, 0])) as Record<LeadStatus, number>
  for (const { status, count } of rows) counts[status] = Number(count)
  return counts
}

const nameOf = ({ first_name, last_name }: { first_name: string | null; last_name: string | null }): string =>
  `${first_name ?? ''} ${last_name ?? ''}`.trim()

/** Members who may change leads. */
const owners = (db: ProjectDb) =>
  db
    .selectFrom('project_members')
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .select(['users.id', 'users.gid', 'users.first_name', 'users.last_name'])
    .where(sql<boolean>`project_members.roles && ${[...rolesOf('contacts.update')]}::int[]`)

async function possibleOwners(db: ProjectDb): Promise<{ gid: string; name: string }[]> {
  const rows = await owners(db).orderBy('users.first_name').orderBy('users.id').execute()
  return rows.map(({ gid, ...names }) => ({ gid, name: nameOf(names) }))
}

async function ownerOf(db: ProjectDb, gid: string): Promise<{ id: string }> {
  const row = await owners(db).where('users.gid', '=', gid).executeTakeFirst()
  if (!row) throw new ApiError('invalid', { fields: { owner: 'Choose a member who may change leads' } })
  return row
}
