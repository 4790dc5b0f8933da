import { z } from 'zod'
import { type Entitled, entitlementsOf } from '../../access/entitlements'
import { languageOf } from '../../access/languageOf'
import { overOf, type Places, placesOf, placesUnder } from '../../access/overLimit'
import { ownersOf } from '../../access/owners'
import type { ServerContext } from '../../platform/context'
import type { Db } from '../../platform/database/database'
import { type Consumer, defineConsumer } from '../../platform/events/defineConsumer'
import { defineJob, type HandledJob } from '../../platform/jobs/defineJob'
import { mailTexts } from '../../platform/mail/texts/mailTexts'
import { paid, planChanged } from '../billing/events'
import type { Mailer } from '../mails/createMailer'

/** Most names of a limit in a mail; the rest is counted. */
const NAMES = 10

const mailOverLimit = defineJob('mail-over-limit', z.strictObject({ change: z.string(), before: paid, after: paid }))

/**
 * What can only be read under `after`, and could be changed under `before`; limits without such are left out.
 * @returns the places of each limit that are newly over, of those that are there now
 */
async function newlyOver(db: Db, projectId: string, before: Entitled, after: Entitled): Promise<Places[]> {
  const now = await placesOf(db, projectId, after)
  return placesUnder(now, before).flatMap((earlier, at) => {
    const known = new Set(overOf(earlier).map(({ gid }) => gid))
    const each = now[at]
    const places = each ? overOf(each).filter(({ gid }) => !known.has(gid)) : []
    return each && places.length > 0 ? [{ ...each, places }] : []
  })
}

/** Schedules one mail for each change of plan or add-ons after which something can only be read. */
export const noticeOver = ({ clock, jobs }: Pick<ServerContext, 'clock' | 'jobs'>): Consumer =>
  defineConsumer({
    name: 'over-limit-notices',
    events: [planChanged],
    since: 'now',
    async handle(work, { projectId, id, payload: { before, after } }) {
      if ((await newlyOver(work, projectId, before, after)).length === 0) return
      await jobs.schedule(work, mailOverLimit, { payload: { change: id, before, after }, runAt: clock(), projectId })
    },
  })

/** The job that mails it to the owners, each in the language of the account, once however often the job runs. */
export const mailOverNotices = (context: ServerContext, send: Mailer): HandledJob =>
  mailOverLimit.handledBy(async ({ change, before, after }, { projectId }) => {
    if (projectId === null) return undefined
    const db = context.db.forProject(projectId)
    const project = await db
      .selectFrom('projects')
      .select(['gid', 'name', 'plan_id', 'addons'])
      .where('id', '=', projectId)
      .executeTakeFirst()
    const over = project ? await newlyOver(db, projectId, before, after) : []
    if (!project || over.length === 0) return undefined
    for (const email of await ownersOf(db, projectId)) {
      const language = await languageOf(db, email)
      const sent = await send({
        ...{ projectId, conversationId: null, purpose: 'billing' },
        ...{ fromName: '', to: [email], cc: [], bcc: [], replyTo: [] },
        key: `over-limit.${change}.${email.toLowerCase()}`,
        subject: mailTexts(language).overLimit.subject(project.name),
        body: {
          ...{ template: 'over-limit', language, project: project.name, plan: entitlementsOf(after).name },
          limits: over.map(({ limit, max, places }) => ({
            ...{ limit, max, names: places.slice(0, NAMES).map(({ name }) => name) },
            more: Math.max(0, places.length - NAMES),
          })),
          link: `${context.config.publicUrl}/projects/${project.gid}/settings/billing/usage`,
        },
      })
      if (!sent.ok)
        context.log.warn({ projectId, error: sent.error }, 'a mail of what is over a limit could not be sent')
    }
    return undefined
  })
