import { z } from 'zod'
import { languageOf } from '../../../access/languageOf'
import { rolesOf } from '../../../access/roles'
import type { ServerContext } from '../../../platform/context'
import type { ProjectWork } from '../../../platform/database/database'
import { appendEvent } from '../../../platform/events/defineEvent'
import { defineJob, type HandledJob } from '../../../platform/jobs/defineJob'
import { mailTexts } from '../../../platform/mail/texts/mailTexts'
import type { Mailer } from '../../mails/createMailer'
import { integrationBroken } from '../events'
import { vendorOf } from '../vendors'
import type { ConnectionRow } from './accounts'

const mailBroken = defineJob('mail-broken-connection', z.strictObject({ connection: z.string(), since: z.string() }))

/** Notes in the event log that a connection broke, and schedules the one mail about it. */
export const tellOfBroken =
  ({ clock, jobs }: Pick<ServerContext, 'clock' | 'jobs'>) =>
  async (work: ProjectWork, { gid, vendor, project_id }: ConnectionRow): Promise<void> => {
    const at = clock()
    const origin = { projectId: project_id, by: { actor: 'system' }, correlation: `connection ${gid}`, at } as const
    await appendEvent(work, integrationBroken, origin, { connection: gid, vendor, problem: 'reconnect' })
    await jobs.schedule(work, mailBroken, {
      payload: { connection: gid, since: at.toISOString() },
      runAt: at,
      projectId: project_id,
    })
  }

/** The job that tells those who may connect it again: who connected it, else the project's owners and admins. */
export function mailBrokenConnections(context: ServerContext, send: Mailer): HandledJob {
  const { config, log } = context
  return mailBroken.handledBy(async ({ connection, since }, { projectId }) => {
    if (projectId === null) return undefined
    const db = context.db.forProject(projectId)
    const row = await db
      .selectFrom('connections')
      .innerJoin('projects', 'projects.id', 'connections.project_id')
      .select(['vendor', 'account_name', 'connected_by', 'problem', 'projects.gid as pgid', 'projects.name as project'])
      .where('connections.gid', '=', connection)
      .executeTakeFirst()
    // connected again, or gone: there is nothing to do
    if (!row || row.problem === null) return undefined
    const members = await db
      .selectFrom('project_members')
      .innerJoin('users', 'users.id', 'project_members.user_id')
      .select(['users.id', 'users.email', 'project_members.roles'])
      .orderBy('users.id')
      .execute()
    const able = members.filter(({ roles }) => roles.some((role) => ABLE.includes(role)))
    const connector = able.filter(({ id }) => id === row.connected_by)
    const vendor = vendorOf(row.vendor).name
    for (const { email } of connector.length > 0 ? connector : able) {
      const language = await languageOf(db, email)
      const sent = await send({
        projectId,
        conversationId: null,
        key: `connection.${connection}.${since}.${email.toLowerCase()}`,
        purpose: 'connection',
        fromName: '',
        to: [email],
        cc: [],
        bcc: [],
        replyTo: [],
        subject: mailTexts(language).connection.subject(row.project, vendor),
        body: {
          template: 'connection',
          language,
          project: row.project,
          vendor,
          account: row.account_name,
          link: `${config.publicUrl}/projects/${row.pgid}/integrations`,
        },
      })
      if (!sent.ok) log.warn({ projectId, error: sent.error }, 'a mail about a connection could not be sent')
    }
    return undefined
  })
}

/** Roles that connect (server/access/roles.ts): owners and admins. */
const ABLE: readonly number[] = rolesOf('integrations.connect')
