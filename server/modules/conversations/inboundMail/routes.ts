import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { languageOf } from '../../../access/languageOf'
import { registerRoute } from '../../../access/register'
import * as contract from '../../../contracts/mailInbox'
import type { ServerContext } from '../../../platform/context'
import type { ProjectDb } from '../../../platform/database/database'
import { ApiError, fieldError } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import { mailTexts } from '../../../platform/mail/texts/mailTexts'
import { networksOf } from '../../../platform/outbound/projectNetworks'
import { createSecrets } from '../../../platform/secrets/secrets'
import type { Mailer } from '../../mails/createMailer'
import { mailInboxChanged } from '../events'
import { fetchMails, mailboxOf, passwordPlace, problemOf, secretPlace } from './inboxes'
import { checkMailbox } from './mailbox'
import type { createReceiveMail } from './receiveMail'

interface Parts {
  send: Mailer
  receive: ReturnType<typeof createReceiveMail>
}

/** Where replies to answers by mail arrive: a project's settings, what came in, and the webhook. */
export function registerMailInbox(app: FastifyInstance, context: ServerContext, { send, receive }: Parts): void {
  const { clock, ids, jobs, config } = context
  const secrets = createSecrets(config)

  registerRoute(app, context, contract.readMailInbox, ({ caller: { db, project } }) => read(db, project.id))

  registerRoute(app, context, contract.saveMailInbox, async ({ caller: { db, project }, body, origin }) => {
    const { settings, password } = body
    const known = await rowOf(db, project.id)
    const isOther =
      known?.host !== settings.host || known.username !== settings.username || known.port !== settings.port
    if (settings.kind === 'imap' && settings.enabled) {
      if (settings.host === '') throw fieldError('settings.host', 'Enter the mail server')
      if (settings.username === '') throw fieldError('settings.username', 'Enter the user name')
      // a password that is there goes to no other server
      if (!password && (isOther || !known?.sealed_password)) throw fieldError('password', 'Enter the password')
    }
    const gid = known?.gid ?? ids()
    const sealed = password
      ? secrets.seal(password, passwordPlace(project.id, gid))
      : isOther
        ? null
        : (known?.sealed_password ?? null)
    const isSame = known && !isOther && known.folder === settings.folder
    const values = {
      ...{ ...settings, sealed_password: sealed, problem: null, updated_at: clock() },
      // another mailbox is read from its end: what lies in it is older than this
      ...(!isSame && { uid_validity: null, last_uid: '0', checked_at: null }),
    }
    await db.transaction().execute(async (trx) => {
      await trx
        .insertInto('mail_inboxes')
        .values({ gid, project_id: project.id, ...values })
        .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
        .execute()
      if (settings.enabled && settings.kind === 'imap')
        await jobs.schedule(trx, fetchMails, { key: project.id, payload: {}, runAt: clock(), projectId: project.id })
      await appendEvent(trx, mailInboxChanged, origin, { enabled: settings.enabled, kind: settings.kind })
    })
    jobs.wake()
    return read(db, project.id)
  })

  registerRoute(app, context, contract.makeMailSecret, async ({ caller: { db, project }, origin }) => {
    const row = await rowOf(db, project.id)
    if (!row) throw new ApiError('not_found')
    const secret = randomBytes(32).toString('base64url')
    await db.transaction().execute(async (trx) => {
      await trx
        .updateTable('mail_inboxes')
        .set({ sealed_secret: secrets.seal(secret, secretPlace(project.id, row.gid)) })
        .where('project_id', '=', project.id)
        .execute()
      await appendEvent(trx, mailInboxChanged, origin, { enabled: row.enabled, kind: row.kind })
    })
    return { secret }
  })

  registerRoute(app, context, contract.testMailInbox, async ({ caller: { project, db, user } }) => {
    const row = await rowOf(db, project.id)
    if (!row) throw new ApiError('not_found')
    const found = await mailboxOf(context, project.id)
    if (row.kind === 'imap') {
      if (!found) throw fieldError('password', 'Enter the password')
      await checkMailbox(found.access, await networksOf(context, project.id)).catch((error: unknown) => {
        throw fieldError('settings.host', problemOf(error))
      })
    }
    const language = await languageOf(db, user.email)
    const texts = mailTexts(language).replyTest
    const sent = await send({
      projectId: project.id,
      conversationId: null,
      key: `mail-inbox-test.${project.id}.${ids()}`,
      purpose: 'notification',
      ...{ fromName: '', to: [row.address], cc: [], bcc: [], replyTo: [], subject: texts.subject },
      body: {
        ...{ template: 'notifications', language, title: texts.title },
        lines: [],
        more: 0,
        link: `${config.publicUrl}/projects/${project.gid}`,
        settings: null,
      },
    })
    if (!sent.ok) throw fieldError('settings.address', sent.error)
    return {}
  })

  registerRoute(app, context, contract.listInboundMails, async ({ caller: { db, project } }) => {
    const rows = await db
      .selectFrom('inbound_mails')
      .leftJoin('conversations', 'conversations.id', 'inbound_mails.conversation_id')
      .select(['inbound_mails.gid', 'inbound_mails.status', 'reason', 'sender', 'subject', 'received_at'])
      .select('conversations.gid as conversation')
      .where('inbound_mails.project_id', '=', project.id)
      .orderBy('inbound_mails.id', 'desc')
      .limit(contract.INBOUND_MAILS_SHOWN)
      .execute()
    return { mails: rows.map(({ received_at, ...row }) => ({ ...row, at: received_at.toISOString() })) }
  })

  registerRoute(
    app,
    context,
    contract.receiveMailHook,
    async ({ params: { inbox }, body: { raw } }) => {
      const row = await inboxOf(inbox)
      if (!row) throw new ApiError('not_found')
      const source = Buffer.from(raw, 'base64')
      // a mail without a Message-ID is known by its bytes
      const name = `${createHash('sha256').update(source).digest('hex').slice(0, 40)}@webhook`
      return { status: await receive(row.project_id, source.length > contract.INBOUND_MAIL_CAP ? null : source, name) }
    },
    async ({ inbox }) => {
      const row = await inboxOf(inbox)
      return row?.sealed_secret ? secrets.open(row.sealed_secret, secretPlace(row.project_id, inbox)) : null
    },
  )

  /** An inbox that takes webhooks, by its id in the address. */
  const inboxOf = (gid: string) =>
    context.db
      .selectFrom('mail_inboxes')
      .select(['project_id', 'sealed_secret'])
      .where('gid', '=', gid)
      .where('kind', '=', 'webhook')
      .where('enabled', '=', true)
      .executeTakeFirst()

  async function read(db: ProjectDb, projectId: string): Promise<contract.MailInboxState> {
    const row = await rowOf(db, projectId)
    if (!row) return { settings: null, has_password: false, webhook: null, checked_at: null, problem: null }
    const { enabled, kind, address, host, port, username, folder } = row
    return {
      settings: { enabled, kind, address, host, port, username, folder },
      has_password: row.sealed_password !== null,
      webhook: kind === 'webhook' ? config.publicUrl + contract.receiveMailHook.path.replace(':inbox', row.gid) : null,
      checked_at: row.checked_at?.toISOString() ?? null,
      problem: row.problem,
    }
  }
}

const rowOf = (db: ProjectDb, projectId: string) =>
  db.selectFrom('mail_inboxes').selectAll().where('project_id', '=', projectId).executeTakeFirst()
