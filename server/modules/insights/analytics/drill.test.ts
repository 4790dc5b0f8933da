import { randomBytes } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registry } from '../../../../blocks/registry'
import { createIdSource } from '../../../../engine/flow/ids'
import { plainRichText } from '../../../../engine/values/richText'
import { flowAround } from '../../../../tests/support/conversations'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { createWriter, FIRST, type History, seeded } from '../../../../tests/support/histories'
import { insertPublishedFlow, type PublishedFlow } from '../../../../tests/support/publishedFlow'
import { createConsumers } from '../../../platform/events/createConsumers'
import { countFacts } from '../facts/countFacts'
import { notePending } from '../facts/notePending'
import { createVariableNames } from '../results/readAnswers'
import { drill } from './drill'
import { readAnalytics } from './readAnalytics'
import type { Scope } from './scope'

/** What a figure counts that is no sum of conversations' facts: leads, credits, and where visitors left. */
const newId = createIdSource(randomBytes)
const NOW = new Date('2026-12-20T12:00:00Z')
const IN_PERIOD = new Date('2026-12-10T12:00:00Z')
const MINUTE = 60_000

let database: TestDatabase
let flow: PublishedFlow
let all: History[]
beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  flow = await insertPublishedFlow(db, flowAround('text', { text: plainRichText('Hello') }))
  const { id: member } = await db
    .insertInto('users')
    .values({
      ...{ gid: newId(), first_name: 'Ada', last_name: 'Okafor', email: 'ada@example.com' },
      ...{ password_hash: 'x', created_at: NOW },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const writer = createWriter(db, flow, [member], seeded(7))
  const log = pino({ level: 'silent' })
  const context = { db, registry, ids: newId, clock: () => NOW, log, namesOf: createVariableNames() }
  const consumers = createConsumers(context, [notePending])
  const visitors = () => writer.histories.filter(({ environment }) => environment !== 'playground')
  while (visitors().length < 8) await writer.step()
  await consumers.runDue()
  await countFacts(context)
  await consumers.close()
  all = visitors()
})
afterAll(() => database.close())

const scope = (): Scope => ({
  ...{ projectId: flow.projectId, chatbotId: flow.chatbotId, environment: undefined, channel: undefined },
  // the conversations themselves began before it
  period: { from: '2026-12-01', to: '2026-12-20', zone: 'UTC' },
})
const behind = async (narrowed: Parameters<typeof drill>[2]) =>
  (await drill(database.db.forProject(flow.projectId), scope(), narrowed, NOW)).map(({ gid }) => gid)
const figures = async () =>
  (await readAnalytics(database.db.forProject(flow.projectId), scope(), { full: true, now: NOW })).detail

it('leads lead to the conversations that gave them in the period, whenever these began', async () => {
  const [one, deleted, earlier] = all
  const rows = [
    { of: one, deleted: false, at: IN_PERIOD },
    { of: deleted, deleted: true, at: IN_PERIOD },
    { of: earlier, deleted: false, at: new Date(FIRST) },
  ]
  for (const { of, deleted: isDeleted, at } of rows)
    await database.db
      .insertInto('leads')
      .values({
        ...{ gid: newId(), project_id: flow.projectId, chatbot_id: flow.chatbotId, conversation_id: of?.id ?? null },
        ...{ environment: of?.environment === 'sharing' ? 'sharing' : 'production', channel: of?.channel ?? 'web' },
        ...{ source: 'email', name: '', email: '', phone: '', answers: '[]', deleted: isDeleted },
        ...{ created_at: at, updated_at: at },
      })
      .execute()
  expect((await figures())?.now.leads).toBe(1)
  expect(await behind({ figure: 'leads' })).toEqual([one?.gid])
})

it('credits lead to the conversations whose answers used them', async () => {
  const [one, two] = all
  const use = (key: string, credit = 'ai_message_credits', at = IN_PERIOD) => ({
    ...{ project_id: flow.projectId, chatbot_id: flow.chatbotId, credit, key, amount: '1', used_at: at },
  })
  const uses = [
    use(`${one?.gid}.0.1`),
    use(`${one?.gid}.run-2.0.1`),
    // a mail of another conversation, an answer before the period, and one of no conversation
    use(`${two?.gid}.0.2`, 'email_credits'),
    use(`${two?.gid}.0.3`, 'ai_message_credits', new Date(FIRST)),
    use('playground:1'),
  ]
  await database.db
    .insertInto('credit_uses')
    .values(uses as never)
    .execute()
  expect((await figures())?.now.credits).toBe(3)
  expect(await behind({ figure: 'credits' })).toEqual([one?.gid])
})

it('the drop-off leads to the conversations that were left at a block, not to those that were only just asked', async () => {
  const [left, silent, asked, elsewhere, earlier] = all
  const visit = (of: History | undefined, part: object) => ({
    ...{ run_id: of?.run ?? '', project_id: flow.projectId, chatbot_id: flow.chatbotId },
    ...{
      flow_version_id: flow.versionId,
      environment: 'production',
      channel: 'web',
      day: '2026-12-10',
      status: 'waiting',
    },
    ...{ flow: '', group_id: 'g', block_id: 'subject', replies: 1, places: [] },
    last_at: IN_PERIOD,
    ...part,
  })
  const rows = [
    visit(left, { status: 'left' }),
    visit(silent, {}),
    visit(asked, { last_at: new Date(NOW.getTime() - MINUTE) }),
    visit(elsewhere, { block_id: 'start', status: 'left' }),
    visit(earlier, { day: '2026-11-30', status: 'left' }),
  ]
  await database.db
    .insertInto('run_visits')
    .values(rows as never)
    .execute()
  const detail = await figures()
  expect(detail?.drop_off).toEqual([
    { block: 'subject', kind: 'text', group: 'Group', left: 2 },
    { block: 'start', kind: 'start', group: 'Group', left: 1 },
  ])
  expect((await behind({ figure: 'left', block: 'subject' })).toSorted()).toEqual([left?.gid, silent?.gid].toSorted())
  expect(await behind({ figure: 'left', block: 'start' })).toEqual([elsewhere?.gid])
})
