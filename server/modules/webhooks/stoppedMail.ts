import { z } from 'zod'
import { languageOf } from '../../access/languageOf'
import { ownersOf } from '../../access/owners'
import type { ServerContext } from '../../platform/context'
import { defineJob, type HandledJob } from '../../platform/jobs/defineJob'
import { mailTexts } from '../../platform/mail/texts/mailTexts'
import type { Mailer } from '../mails/createMailer'

/** Mails a project's owners that an endpoint was switched off; `at`: when. */
export const mailStopped = defineJob('mail-webhook-stopped', z.strictObject({ endpoint: z.string(), at: z.string() }))

/** The job that sends it: each owner gets it once, however often the job runs. */
export const mailsStopped = (context: ServerContext, send: Mailer): HandledJob =>
  mailStopped.handledBy(async ({ endpoint, at }, { projectId }) => {
    if (projectId === null) return undefined
    const db = context.db.forProject(projectId)
    const row = await db
      .selectFrom('webhook_endpoints')
      .innerJoin('projects', 'projects.id', 'webhook_endpoints.project_id')
      .select(['webhook_endpoints.gid', 'url', 'description', 'stopped', 'projects.gid as project', 'projects.name'])
      .where('webhook_endpoints.id', '=', endpoint)
      .executeTakeFirst()
    // deleted, or switched on again meanwhile
    if (!row?.stopped) return undefined
    const link = `${context.config.publicUrl}/projects/${row.project}/settings/project/webhooks/${row.gid}`
    for (const email of await ownersOf(db, projectId)) {
      const language = await languageOf(db, email)
      const texts = mailTexts(language).webhookStopped
      const title = texts.title(row.name)
      const why = row.stopped === 'gone' ? texts.gone : texts.failing
      const sent = await send({
        projectId,
        conversationId: null,
        key: `webhook.${row.gid}.${at}.${email.toLowerCase()}`,
        purpose: 'notification',
        ...{ fromName: '', to: [email], cc: [], bcc: [], replyTo: [], subject: title },
        body: {
          ...{ template: 'notifications', language, title },
          lines: [
            { text: row.description || row.url, where: '', link },
            { text: `${why} ${texts.until}`, where: '', link },
          ],
          more: 0,
          link,
          settings: null,
        },
      })
      if (!sent.ok) context.log.warn({ projectId, error: sent.error }, 'a mail about a webhook could not be sent')
    }
    return undefined
  })
