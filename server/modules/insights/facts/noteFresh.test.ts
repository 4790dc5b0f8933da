import { randomBytes } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registry } from '../../../../blocks/registry'
import { createIdSource } from '../../../../engine/flow/ids'
import { emptyFlow } from '../../../../engine/flow/schema'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { createWriter, seeded } from '../../../../tests/support/histories'
import { insertPublishedFlow } from '../../../../tests/support/publishedFlow'
import { createConsumers } from '../../../platform/events/createConsumers'
import { createVariableNames } from '../results/readAnswers'
import { countFacts } from './countFacts'
import { noteFresh } from './noteFresh'
import { notePending } from './notePending'

const newId = createIdSource(randomBytes)
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

it('who is told of a change reads it, before the consumer has come to its event; other projects wait', async () => {
  const { db } = database
  const [own, other] = [await insertPublishedFlow(db, emptyFlow()), await insertPublishedFlow(db, emptyFlow())]
  const log = pino({ level: 'silent' })
  const context = { db, registry, ids: newId, clock: () => new Date(), log, namesOf: createVariableNames() }
  const user = { last_name: 'Okafor', password_hash: 'x', created_at: new Date(), first_name: 'Ada' }
  const { id } = await db
    .insertInto('users')
    .values({ ...user, gid: newId(), email: 'ada@example.com' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const [writer, elsewhere] = [createWriter(db, own, [id], seeded(5)), createWriter(db, other, [id], seeded(5))]
  const consumers = createConsumers(context, [notePending])
  await consumers.runDue()
  for (let step = 0; step < 40; step++) await writer.step()
  for (let step = 0; step < 10; step++) await elsewhere.step()
  await noteFresh(db, own.projectId)
  await countFacts(context)
  const said = () =>
    db
      .selectFrom('conversation_facts')
      .select(['conversation_id', 'messages', 'project_id'])
      .orderBy('conversation_id')
      .execute()
  const wanted = writer.histories
    .filter(({ environment }) => environment !== 'playground')
    .map((one) => ({ conversation_id: one.id, messages: one.said.length, project_id: own.projectId }))
  expect(wanted.length).toBeGreaterThan(3)
  expect(await said()).toEqual(wanted)
  // what the consumer has come to is not noted again
  await consumers.runDue()
  await countFacts(context)
  await noteFresh(db, own.projectId)
  expect(await db.selectFrom('insight_pending').selectAll().execute()).toEqual([])
  await consumers.close()
})
