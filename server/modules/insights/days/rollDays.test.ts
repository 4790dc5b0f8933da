import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registry } from '../../../../blocks/registry'
import { createIdSource } from '../../../../engine/flow/ids'
import { emptyFlow } from '../../../../engine/flow/schema'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { createWriter, FIRST, type History, recountQuestions, seeded } from '../../../../tests/support/histories'
import { insertPublishedFlow } from '../../../../tests/support/publishedFlow'
import { createConsumers } from '../../../platform/events/createConsumers'
import { readAnalytics } from '../analytics/readAnalytics'
import { readQuestions } from '../analytics/readQuestions'
import type { Scope } from '../analytics/scope'
import { countFacts } from '../facts/countFacts'
import { notePending } from '../facts/notePending'
import { createVariableNames } from '../results/readAnswers'
import { rollDays } from './rollDays'
import { readSpans } from './spans'

const DAY = 86_400_000
const newId = createIdSource(randomBytes)

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const dayIn = (at: number, zone: string): string => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at)

interface Use {
  ofChatbot: boolean
  amount: number
  at: number
}

/** What is read from days, from what was written: nothing here is shared with what is tested. */
async function recount(
  all: readonly History[],
  uses: readonly Use[],
  { chatbotId, period, environment, channel }: Scope,
) {
  const { from, to, zone } = period
  const inside = all.filter(
    (one) =>
      one.environment !== 'playground' &&
      (environment === undefined || one.environment === environment) &&
      (channel === undefined || one.channel === channel) &&
      dayIn(one.at, zone) >= from &&
      dayIn(one.at, zone) <= to,
  )
  const tally = (names: readonly string[]) => {
    const times = new Map<string, number>()
    for (const name of names) times.set(name, (times.get(name) ?? 0) + 1)
    return [...times].toSorted(([name, n], [other, m]) => m - n || (name < other ? -1 : 1))
  }
  const anonymous = inside.filter(({ visitor }) => visitor === null).length
  const used = uses.filter(
    ({ ofChatbot, at }) => (chatbotId === null || ofChatbot) && dayIn(at, zone) >= from && dayIn(at, zone) <= to,
  )
  return {
    ...(await recountQuestions(database.db, inside)),
    // of an environment or a channel they are not known
    credits: environment || channel ? null : used.reduce((sum, { amount }) => sum + amount, 0),
    visitors: new Set(inside.flatMap(({ visitor }) => visitor ?? [])).size + anonymous,
    pages: tally(inside.flatMap(({ page }) => (page === '' ? [] : [page]))),
    sources: tally(inside.flatMap(({ asked }) => asked.flatMap(({ sources }) => [...new Set(sources)]))),
  }
}

test.each([4, 8, 15])(
  'visitors, pages, sources, questions and credits are those of the rows, whatever of them was rolled up, has changed since, or is gone (seed %i)',
  async (seed) => {
    const random = seeded(seed)
    const { db } = database
    const flow = await insertPublishedFlow(db, emptyFlow())
    const user = { last_name: 'Okafor', password_hash: 'x', created_at: new Date(), first_name: 'Ada' }
    const { id } = await db
      .insertInto('users')
      .values({ ...user, gid: newId(), email: `${newId()}@example.com` })
      .returning('id')
      .executeTakeFirstOrThrow()
    const writer = createWriter(db, flow, [id], random)
    const { pick, histories } = writer
    const log = pino({ level: 'silent' })
    const context = { db, registry, ids: newId, clock: () => new Date(), log, namesOf: createVariableNames() }
    const consumers = createConsumers(context, [notePending])
    const roll = (until: number) => rollDays({ db, clock: () => new Date(FIRST + until * DAY) })
    const own = db.forProject(flow.projectId)
    let rolled = 0

    async function look(): Promise<void> {
      const from = FIRST + Math.floor(random() * 28) * DAY
      const period = {
        ...{ from: dayIn(from, 'UTC'), to: dayIn(from + Math.floor(random() * 25) * DAY, 'UTC') },
        zone: pick('UTC', 'Asia/Kathmandu', 'America/New_York', 'Pacific/Kiritimati'),
      }
      const scope: Scope = {
        ...{ projectId: flow.projectId, chatbotId: pick(null, flow.chatbotId), period },
        ...{
          environment: pick(undefined, undefined, 'production', 'sharing'),
          channel: pick(undefined, 'web', 'paper'),
        },
      }
      rolled += (await readSpans(own, scope)).rolled.length
      const { detail } = await readAnalytics(own, scope, { full: true, now: new Date() })
      const now = detail?.now
      // grouped at once, looked for among the most frequent, and given up
      const search = pick(
        { few: 0, first: 2, most: 500 },
        { few: 0, first: 1, most: 3 },
        { few: 1_000, first: 1, most: 1 },
      )
      const questions = await readQuestions(own, scope, await readSpans(own, scope), search)
      const shown = (list: typeof questions.unanswered) =>
        list.map(({ wording, asked, answered }) => ({ wording, asked, answered }))
      const tallied = {
        ...{ top_questions: shown(questions.top_questions), unanswered: shown(questions.unanswered) },
        credits: now?.credits,
        visitors: now?.visitors,
        pages: detail?.pages.map(({ name, conversations }) => [name, conversations]),
        sources: detail?.sources.map(({ title, questions }) => [title, questions]),
      }
      expect(tallied, JSON.stringify(scope)).toEqual(await recount(histories, uses, scope))
    }

    const uses: Use[] = []
    async function use(): Promise<void> {
      const one = { ofChatbot: random() < 0.7, amount: pick(1, 2, -1), at: FIRST + Math.floor(random() * 30 * DAY) }
      uses.push(one)
      const chatbot_id = one.ofChatbot ? flow.chatbotId : null
      await db
        .insertInto('credit_uses')
        .values({
          ...{ project_id: flow.projectId, chatbot_id, key: newId(), amount: one.amount, used_at: new Date(one.at) },
          credit: 'ai_message_credits',
        })
        .execute()
    }

    for (let round = 0; round < 12; round++) {
      for (let step = 0; step < 25; step++) await writer.step()
      for (let step = 0; step < 3; step++) await use()
      await consumers.runDue()
      await countFacts(context, flow.projectId)
      await look()
      if (random() < 0.7) await roll(Math.floor(random() * 60))
      await look()
      // someone is erased, or retention takes the oldest
      const gone = histories.splice(Math.floor(random() * histories.length), pick(0, 1, 3))
      const ids = gone.map((one) => one.id)
      await sql`delete from conversations where id = any(${ids}::bigint[])`.execute(own)
      await look()
    }
    await roll(60)
    await look()
    await consumers.close()
    expect(rolled, 'parts of the periods that were rolled up').toBeGreaterThan(10)
  },
)
