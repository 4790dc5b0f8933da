import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIdSource } from '../../../../engine/flow/ids'
import { emptyFlow } from '../../../../engine/flow/schema'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { seeded } from '../../../../tests/support/histories'
import { insertPublishedFlow } from '../../../../tests/support/publishedFlow'
import { TOP } from '../../../contracts/analytics'
import { readSpans } from '../days/spans'
import { readQuestions } from './readQuestions'
import type { Scope } from './scope'

const DAY = 86_400_000
const FIRST = Date.parse('2026-03-01T00:00:00Z')
const DAYS = 60
const newId = createIdSource(randomBytes)

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

interface Question {
  position: number
  chatbot: string
  channel: 'web' | 'paper'
  wording: string
  answered: boolean
  at: number
}

/** From what was written: of equally frequent ones the latest first. */
function recount(all: readonly Question[], { chatbotId, channel, period }: Scope) {
  const end = Date.parse(period.to) + DAY
  const inside = all.filter(
    (one) =>
      (chatbotId === null || one.chatbot === chatbotId) &&
      (channel === undefined || one.channel === channel) &&
      one.at >= Date.parse(period.from) &&
      one.at < end,
  )
  const most = (listed: readonly Question[]) => {
    const counted = new Map<string, { times: number; last: number }>()
    for (const { wording, at } of listed) {
      const { times, last } = counted.get(wording) ?? { times: 0, last: 0 }
      counted.set(wording, { times: times + 1, last: Math.max(last, at) })
    }
    return [...counted]
      .toSorted(([, one], [, other]) => other.times - one.times || other.last - one.last)
      .slice(0, TOP)
      .map(([wording]) => {
        const own = inside.filter((one) => one.wording === wording)
        return { wording, asked: own.length, answered: own.filter(({ answered }) => answered).length }
      })
  }
  return { top_questions: most(inside), unanswered: most(inside.filter(({ answered }) => !answered)) }
}

test.each([
  ['a few of which are frequent', 1, (random: number) => Math.floor(80 ** random)],
  [
    'whose frequent ones change',
    2,
    (random: number, day: number) => Math.floor(30 ** random) + Math.floor(day / 6) * 5,
  ],
  ['all about as frequent', 3, (random: number) => Math.floor(random * 60)],
  ['nearly all of which are asked once', 4, (random: number) => Math.floor(random * 3_000)],
])('of questions %s those asked most are shown, however they are looked for', async (_, seed, numberOf) => {
  const random = seeded(seed)
  const pick = <Value>(...values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value
  const { db } = database
  const flow = await insertPublishedFlow(db, emptyFlow())
  const { projectId } = flow
  const other = await insertPublishedFlow(db, emptyFlow(), newId(), {}, projectId)
  const chatbots = [flow.chatbotId, other.chatbotId]
  const { id } = await db
    .insertInto('conversations')
    .values({
      ...{ gid: newId(), project_id: projectId, chatbot_id: flow.chatbotId, environment: 'production' },
      ...{ start_client_id: newId(), created_at: new Date(FIRST), updated_at: new Date(FIRST) },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  let questions: Question[] = Array.from({ length: 900 }, (_, position) => {
    const at = FIRST + Math.floor(random() * DAYS * DAY)
    const wording = `question ${numberOf(random(), (at - FIRST) / DAY)}`
    return {
      position,
      chatbot: pick(...chatbots),
      channel: pick('web', 'web', 'paper'),
      wording,
      answered: random() < 0.6,
      at,
    }
  })
  await sql`
    insert into asked_questions (conversation_id, project_id, chatbot_id, environment, channel, started_at, position, question,
      wording, answered, sources, asked_at)
    select ${id}, ${projectId}, chatbot, 'production', channel, to_timestamp(at / 1000.0), position, wording || '?', wording,
      answered, '{}', now()
    from json_to_recordset(${JSON.stringify(questions)}::json)
      as one (position int, chatbot bigint, channel text, wording text, answered boolean, at bigint)`.execute(db)

  const own = db.forProject(projectId)
  let searched = 0
  for (let round = 0; round < 30; round++) {
    // some are erased, what some say is blacked out
    const gone = new Set(questions.filter(() => random() < 0.01).map(({ position }) => position))
    questions = questions.filter(({ position }) => !gone.has(position))
    const half = [...gone].filter((position) => position % 2 === 0)
    await sql`update asked_questions set wording = '' where project_id = ${projectId} and position = any(${half})`.execute(
      db,
    )
    const rest = [...gone].filter((position) => position % 2 === 1)
    await sql`delete from asked_questions where project_id = ${projectId} and position = any(${rest})`.execute(db)

    const from = FIRST + Math.floor(random() * 40) * DAY
    const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
    const scope: Scope = {
      ...{
        projectId,
        chatbotId: pick(null, ...chatbots),
        environment: undefined,
        channel: pick(undefined, undefined, 'paper'),
      },
      period: { from: dayOf(from), to: dayOf(from + Math.floor(random() * 60) * DAY), zone: 'UTC' },
    }
    const search = pick(
      { few: -1, first: 12, most: 5_000 },
      { few: -1, first: 3, most: 40 },
      { few: 0, first: 1, most: 1 },
    )
    searched += Number(search.few < 0)
    const found = await readQuestions(own, scope, await readSpans(own, scope), search)
    const shown = (list: typeof found.unanswered) =>
      list.map(({ wording, asked, answered }) => ({ wording, asked, answered }))
    expect(
      { top_questions: shown(found.top_questions), unanswered: shown(found.unanswered) },
      JSON.stringify([scope, search]),
    ).toEqual(recount(questions, scope))
  }
  expect(searched).toBeGreaterThan(10)

  await sql`delete from conversations where id = ${id}`.execute(own)
  const { rows } = await sql`select from asked_wordings where project_id = ${projectId}`.execute(db)
  expect(rows, 'numbers of wordings that nobody asked').toHaveLength(0)
})
