import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../access/register'
import {
  eraseContact,
  previewRetention,
  type Retention,
  readPersonData,
  readRetention,
  saveRetention,
} from '../../contracts/privacy'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb, ProjectWork } from '../../platform/database/database'
import { appendEvent } from '../../platform/events/defineEvent'
import { contactDeleted } from '../contacts/events'
import { personErased, retentionChanged } from './events'
import { contactOf, erasePerson, readPerson } from './person'
import { countConcerned, type Rules, widened } from './retention'

/** Lines of each log that are shown. */
const LOG = 50
const none: Retention = { delete_after_days: null, redact_after_days: null, redact: [] }

/** @param count finds the leads of what was said a moment ago: a person's conversations are known by them */
export function registerPrivacy(
  app: FastifyInstance,
  context: ServerContext,
  count: (projectId: string) => Promise<void>,
): void {
  const { clock } = context

  registerRoute(app, context, readRetention, async ({ caller: { db, project } }) => {
    const { widened_at: _, ...rules } = (await rulesOf(db, project.id)) ?? { ...none, widened_at: null }
    const runs = await db
      .selectFrom('retention_runs')
      .select(['at', 'deleted', 'redacted'])
      .orderBy('id', 'desc')
      .limit(LOG)
      .execute()
    const erasures = await db
      .selectFrom('erasures')
      .leftJoin('users', 'users.id', 'erasures.erased_by')
      .select(['erased_at', 'contact', 'conversations', 'leads', 'first_name', 'last_name'])
      .orderBy('erasures.id', 'desc')
      .limit(LOG)
      .execute()
    return {
      rules,
      runs: runs.map(({ at, ...run }) => ({ ...run, at: at.toISOString() })),
      erasures: erasures.map(({ erased_at, first_name, last_name, ...erasure }) => ({
        ...erasure,
        at: erased_at.toISOString(),
        by: first_name === null ? null : `${first_name} ${last_name ?? ''}`.trim(),
      })),
    }
  })

  registerRoute(app, context, previewRetention, async ({ caller: { db, project }, body }) => {
    const now = clock()
    return countConcerned(db, project.id, widened(body, await rulesOf(db, project.id), now), now)
  })

  registerRoute(app, context, saveRetention, async ({ caller: { db, project }, body, origin }) => {
    const rules = { ...body, redact: [...new Set(body.redact)] }
    await db.transaction().execute(async (work) => {
      const now = clock()
      const values = { ...widened(rules, await rulesOf(work, project.id), now), updated_at: now }
      await work
        .insertInto('retention_rules')
        .values({ project_id: project.id, ...values })
        .onConflict((again) => again.column('project_id').doUpdateSet(values))
        .execute()
      await appendEvent(work, retentionChanged, origin, rules)
    })
    return { rules }
  })

  registerRoute(app, context, eraseContact, async ({ caller: { db, project, user }, params, origin }) => {
    await count(project.id)
    return db.transaction().execute(async (work) => {
      const contact = await contactOf(work, params.gid)
      const erased = await erasePerson(work, contact)
      await work
        .insertInto('erasures')
        .values({ project_id: project.id, contact: contact.gid, erased_by: user.id, ...erased, erased_at: clock() })
        .execute()
      await appendEvent(work, contactDeleted, origin, { contact: contact.gid, test: contact.test })
      await appendEvent(work, personErased, origin, { contact: contact.gid, ...erased })
      return erased
    })
  })

  registerRoute(app, context, readPersonData, async ({ caller: { db, project }, params }) => {
    await count(project.id)
    return { data: await readPerson(db, await contactOf(db, params.gid)) }
  })
}

const rulesOf = (db: ProjectDb | ProjectWork, projectId: string): Promise<Rules | undefined> =>
  db
    .selectFrom('retention_rules')
    .select(['delete_after_days', 'redact_after_days', 'redact', 'widened_at'])
    .where('project_id', '=', projectId)
    .executeTakeFirst()
