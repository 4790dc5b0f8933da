import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeChatbot } from '../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { webhookEvents } from '../../contracts/webhookEvents'
import { createWebhook, rotateWebhookSecret } from '../../contracts/webhooks'
import { keyOfFolder } from '../../platform/secrets/keys'
import { createSecrets } from '../../platform/secrets/secrets'
import { passwordPlace } from '../conversations/inboundMail/inboxes'
import { createHooks } from '../integrations/calendly/hooks'
import { createTriggers } from '../webhooks/incoming/triggers'
import { secretPlace } from '../webhooks/sign'
import { renewSeals, sealedColumns } from './renewSeals'

let server: TestServer
let ada: Registered
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.register()
})
afterAll(() => server.close())

/** They live for ten minutes. */
const PASSING = ['oauth_states.sealed_verifier', 'oauth_states.sealed_filled', 'sign_on_attempts.sealed_secrets']

test('every column that is sealed is sealed anew', async () => {
  const { rows } = await sql<{ column: string }>`
    select table_name || '.' || column_name as column from information_schema.columns
    where table_schema = 'public' and starts_with(column_name, 'sealed_')`.execute(server.context.db)
  const known = sealedColumns.map(({ table, column }) => `${table}.${column}`)
  expect(rows.map(({ column }) => column).sort()).toEqual([...known, ...PASSING].sort())
})

test('what is sealed for a place of its own can be opened with the new key alone', async () => {
  const { context } = server
  const { db, config, clock, ids } = context
  const project = await db.selectFrom('projects').select('id').where('gid', '=', ada.pgid).executeTakeFirstOrThrow()
  const own = db.forProject(project.id)
  const old = createSecrets(config)

  // a trigger, signed
  const { cgid } = await makeChatbot(ada)
  const chatbot = await own.selectFrom('chatbots').select('id').where('gid', '=', cgid).executeTakeFirstOrThrow()
  const triggers = createTriggers(context)
  const place = { project_id: project.id, chatbot_id: chatbot.id, block_id: 'hook' }
  const trigger = await triggers.open(own, place)
  const signed = await own.transaction().execute((work) => triggers.sign(work, trigger, true))
  const { url } = triggers.present(signed.row)

  // an endpoint with a secret and the one before
  const body = {
    url: 'https://example.com/hook',
    description: '',
    personal: false,
    enabled: true,
    events: [webhookEvents[0]],
  }
  const made = await ada.call(createWebhook, { params: { pgid: ada.pgid }, body })
  const { gid } = made.endpoint
  const rotated = await ada.call(rotateWebhookSecret, { params: { pgid: ada.pgid, gid } })

  // an account at Calendly, which tells of its bookings
  const account = {
    vendor: 'calendly',
    account_id: '1',
    account_name: 'Ada',
    connected_at: clock(),
  } as const
  const connection = await own
    .insertInto('connections')
    .values({ ...account, scopes: [], gid: ids(), project_id: project.id })
    .returning(['id', 'gid'])
    .executeTakeFirstOrThrow()
  await own
    .insertInto('calendly_hooks')
    .values({
      ...{ connection_id: connection.id, project_id: project.id, by_app: false, uri: null, problem: null },
      sealed_key: old.seal('signing key', { projectId: project.id, row: `calendly_hooks/${connection.gid}` }),
      checked_at: clock(),
    })
    .execute()

  // a mailbox
  const inbox = { project_id: project.id, gid: ids(), enabled: false, kind: 'imap', address: 'a@example.com' } as const
  const sealed_password = old.seal('password', passwordPlace(project.id, inbox.gid))
  await own
    .insertInto('mail_inboxes')
    .values({ ...inbox, sealed_password, problem: null, updated_at: clock() })
    .execute()

  const secretKeys = [{ id: 'new', bytes: randomBytes(32) }, keyOfFolder(config.dataDir)]
  await renewSeals({ db, config: { ...config, secretKeys } })

  const alone = { ...context, config: { ...config, secretKeys: secretKeys.slice(0, 1) } }
  const secrets = createSecrets(alone.config)
  const after = createTriggers(alone)
  const renewed = await after.open(own, place)
  expect(after.present(renewed).url).toBe(url)
  expect(after.secretOf(renewed)).toBe(signed.secret)
  const endpoint = await own
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('gid', '=', gid)
    .executeTakeFirstOrThrow()
  const open = (sealed: string | null) => sealed && secrets.open(sealed, secretPlace(project.id, gid))
  expect([open(endpoint.sealed_secret), open(endpoint.sealed_old_secret)]).toEqual([rotated.secret, made.secret])
  expect(await createHooks(alone, null as never).secretOf(connection.gid)).toBe('signing key')
  const mailbox = await own.selectFrom('mail_inboxes').select('sealed_password').executeTakeFirstOrThrow()
  expect(secrets.open(mailbox.sealed_password ?? '', passwordPlace(project.id, inbox.gid))).toBe('password')
})
