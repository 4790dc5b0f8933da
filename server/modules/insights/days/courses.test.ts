import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyFlow } from '../../../../engine/flow/schema'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { insertPublishedFlow } from '../../../../tests/support/publishedFlow'
import { periodBefore } from '../analytics/period'
import { readTimes } from '../analytics/readTimes'
import type { Scope } from '../analytics/scope'
import { measures } from '../facts/measures'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const [names, ones] = [sql.raw(measures.join(', ')), sql.raw(measures.map(() => '1').join(', '))]

async function add(projectId: string, chatbotId: string, at: string): Promise<void> {
  await sql`insert into insight_rows (project_id, chatbot_id, environment, channel, language, quarter, ${names})
    values (${projectId}, ${chatbotId}, 'production', 'web', 'en', ${at}, ${ones})`.execute(database.db)
}

test('the course of a project is that of the chatbots which it still has', async () => {
  const { db } = database
  const first = await insertPublishedFlow(db, emptyFlow())
  const second = await insertPublishedFlow(db, emptyFlow(), undefined, {}, first.projectId)
  await add(first.projectId, first.chatbotId, '2026-03-29T00:45:00Z')
  await add(first.projectId, second.chatbotId, '2026-03-29T01:00:00Z')
  await add(first.projectId, second.chatbotId, '2026-03-30T10:00:00Z')
  const own = db.forProject(first.projectId)
  const whole: Scope = {
    ...{ projectId: first.projectId, chatbotId: null, environment: undefined, channel: undefined },
    period: { from: '2026-03-29', to: '2026-03-30', zone: 'Europe/Berlin' },
  }
  const hours = async (scope: Scope = whole) => {
    const { series } = await readTimes(own, scope, { ...scope, period: periodBefore(scope.period) })
    return series.filter(({ conversations }) => conversations > 0).map(({ at }) => at)
  }
  // the clocks went on by an hour at 01:00 UTC
  expect(await hours()).toEqual(['2026-03-29T01', '2026-03-29T03', '2026-03-30T12'])
  expect(await hours({ ...whole, channel: 'whatsapp' })).toEqual([])

  await sql`delete from chatbots where id = ${second.chatbotId}`.execute(db)
  expect(await hours()).toEqual(['2026-03-29T01'])
  const { rows } = await sql<{ chatbot_id: string; day: Date }>`
    select distinct chatbot_id, day from insight_courses where project_id = ${first.projectId} order by 1`.execute(db)
  expect(rows.map(({ chatbot_id }) => chatbot_id)).toEqual(['0', first.chatbotId])
})
