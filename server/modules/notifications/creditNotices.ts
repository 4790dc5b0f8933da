import { z } from 'zod'
import { entitlementsOf } from '../../access/entitlements'
import { languageOf } from '../../access/languageOf'
import { ownersOf } from '../../access/owners'
import type { ServerContext } from '../../platform/context'
import { type Consumer, defineConsumer } from '../../platform/events/defineConsumer'
import { defineJob, type HandledJob } from '../../platform/jobs/defineJob'
import { mailTexts } from '../../platform/mail/texts/mailTexts'
import { creditsRefused, creditsSettled } from '../billing/events'
import { monthOf, startOfMonth } from '../billing/months'
import type { Mailer } from '../mails/createMailer'

const mailCredits = defineJob('mail-credits', z.strictObject({ month: z.string(), threshold: z.int() }))

/**
 * Checks whether a project's credit use has passed a threshold, and schedules the mail: one per threshold and month. If
 * several were passed at once, only the highest is reported.
 */
export const noticeCredits = ({ clock, jobs }: Pick<ServerContext, 'clock' | 'jobs'>): Consumer =>
  defineConsumer({
    name: 'credit-notices',
    events: [creditsSettled, creditsRefused],
    since: 'beginning',
    async handle(work, { projectId }) {
      const month = monthOf(clock())
      const row = await work
        .selectFrom('credit_months')
        .innerJoin('projects', 'projects.id', 'credit_months.project_id')
        .select(['plan_id', 'addons', 'used', 'lifetime', 'refused_at', 'told', 'credit_notice_thresholds'])
        .where('project_id', '=', projectId)
        .where('month', '=', month)
        .where('told', '<', 100)
        .where('credit_notices', '=', true)
        .executeTakeFirst()
      if (!row) return
      const max = entitlementsOf(row).limits.ai_message_credits
      // a refused answer means used up, too, since it may cost more than is left
      const share = row.refused_at ? 100 : ((Number(row.used) - Number(row.lifetime)) / max) * 100
      const passed = row.credit_notice_thresholds.filter((threshold) => share >= threshold && threshold > row.told)
      if (passed.length === 0) return
      const threshold = Math.max(...passed)
      await work
        .updateTable('credit_months')
        .set({ told: threshold })
        .where('project_id', '=', projectId)
        .where('month', '=', month)
        .execute()
      await jobs.schedule(work, mailCredits, { payload: { month, threshold }, runAt: clock(), projectId })
    },
  })

/**
 * The job that sends it: to the project's addresses for this, otherwise to its owners. Each gets it once, however often
 * the job runs.
 */
export function mailCreditNotices(context: ServerContext, send: Mailer): HandledJob {
  const { clock, config, log } = context
  return mailCredits.handledBy(async ({ month, threshold }, { projectId }) => {
    if (projectId === null) return undefined
    const db = context.db.forProject(projectId)
    const project = await db
      .selectFrom('projects')
      .leftJoin('credit_months', (join) =>
        join.onRef('credit_months.project_id', '=', 'projects.id').on('credit_months.month', '=', month),
      )
      .select(['gid', 'name', 'plan_id', 'addons', 'credit_notice_emails', 'used', 'lifetime'])
      .where('projects.id', '=', projectId)
      .executeTakeFirst()
    if (!project) return undefined
    const { name: plan, limits } = entitlementsOf(project)
    const emails =
      project.credit_notice_emails.length > 0 ? project.credit_notice_emails : await ownersOf(db, projectId)
    for (const email of emails) {
      const language = await languageOf(db, email)
      const sent = await send({
        projectId,
        conversationId: null,
        key: `credits.${month}.${threshold}.${email.toLowerCase()}`,
        purpose: 'credits',
        fromName: '',
        to: [email],
        cc: [],
        bcc: [],
        replyTo: [],
        subject: mailTexts(language).credits.subject(project.name, threshold),
        body: {
          template: 'credits',
          language,
          project: project.name,
          threshold,
          used: Number(project.used ?? 0) - Number(project.lifetime ?? 0),
          max: limits.ai_message_credits,
          plan,
          renewed: startOfMonth(clock(), 1).toISOString().slice(0, 10),
          link: `${config.publicUrl}/projects/${project.gid}`,
        },
      })
      if (!sent.ok) log.warn({ projectId, error: sent.error }, 'a mail about credits could not be sent')
    }
    return undefined
  })
}
