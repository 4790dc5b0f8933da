import { z } from 'zod'
import type { ServerContext } from '../../../platform/context'
import type { HandledJob } from '../../../platform/jobs/defineJob'
import { defineJob } from '../../../platform/jobs/defineJob'
import { networksOf } from '../../../platform/outbound/projectNetworks'
import { createSecrets } from '../../../platform/secrets/secrets'
import { type MailboxAccess, readMailbox } from './mailbox'
import type { createReceiveMail } from './receiveMail'

/** Reads a project's mailbox, each minute while it has one. */
export const fetchMails = defineJob('fetch-mails', z.strictObject({}))
const EVERY_MS = 60_000
/** After a failure, so that a server that refuses is left alone. */
const LATER_MS = 5 * 60_000
const MOST_PROBLEM = 500

export const passwordPlace = (projectId: string, gid: string) => ({ projectId, row: `mail_inboxes/${gid}/password` })
export const secretPlace = (projectId: string, gid: string) => ({ projectId, row: `mail_inboxes/${gid}/secret` })

/** The address that replies to a thread's mails go to: the inbox's with the token; null: there is none. */
export const createReplyTo =
  ({ db }: Pick<ServerContext, 'db'>) =>
  async (projectId: string, token: string): Promise<string | null> => {
    const row = await db
      .forProject(projectId)
      .selectFrom('mail_inboxes')
      .select(['address', 'enabled'])
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    if (!row?.enabled) return null
    const at = row.address.lastIndexOf('@')
    return `${row.address.slice(0, at)}+${token}${row.address.slice(at)}`
  }

/** How a project's mailbox is opened; null: it has none, or its password can't be opened. */
export async function mailboxOf(context: Pick<ServerContext, 'db' | 'config'>, projectId: string) {
  const row = await context.db
    .forProject(projectId)
    .selectFrom('mail_inboxes')
    .selectAll()
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (row?.kind !== 'imap' || row.sealed_password === null) return null
  const password = createSecrets(context.config).open(row.sealed_password, passwordPlace(projectId, row.gid))
  if (password === null) return null
  const { host, port, username, folder } = row
  return { row, access: { host, port, username, password, folder } satisfies MailboxAccess }
}

/** The job that reads a project's mailbox. What was read is noted mail by mail, so that a crash repeats one at most. */
export const readsMailboxes = (context: ServerContext, receive: ReturnType<typeof createReceiveMail>): HandledJob =>
  fetchMails.handledBy(async (_, { projectId }) => {
    if (projectId === null) return undefined
    const found = await mailboxOf(context, projectId)
    if (!found?.row.enabled) return undefined
    const { row, access } = found
    const set = (values: {
      uid_validity?: string | null
      last_uid?: string
      checked_at?: Date
      problem?: string | null
    }) =>
      context.db
        .forProject(projectId)
        .updateTable('mail_inboxes')
        .set(values)
        .where('project_id', '=', projectId)
        // saved anew meanwhile, it is another mailbox
        .where('updated_at', '=', row.updated_at)
        .execute()
    const after = (ms: number) => new Date(context.clock().getTime() + ms)
    try {
      const from = { validity: row.uid_validity, uid: Number(row.last_uid) }
      const read = await readMailbox(access, await networksOf(context, projectId), from, async ({ uid, source }) => {
        await receive(projectId, source, `${row.gid}.${row.uid_validity}.${uid}@mailbox`)
        await set({ last_uid: String(uid) })
      })
      await set({
        ...{ uid_validity: read.validity, last_uid: String(read.uid) },
        ...{ checked_at: context.clock(), problem: null },
      })
      return after(read.more ? 0 : EVERY_MS)
    } catch (error) {
      await set({ checked_at: context.clock(), problem: problemOf(error) })
      return after(LATER_MS)
    }
  })

/** What the mail server says, or why it can't be reached. */
export function problemOf(error: unknown): string {
  const { responseText, message } = error as { responseText?: unknown; message?: unknown }
  const said = typeof responseText === 'string' && responseText !== '' ? responseText : String(message ?? error)
  return said.replace(/\s+/g, ' ').slice(0, MOST_PROBLEM)
}
