import { randomBytes } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registry } from '../../../../blocks/registry'
import { createIdSource } from '../../../../engine/flow/ids'
import { emptyFlow } from '../../../../engine/flow/schema'
import { plainRichText } from '../../../../engine/values/richText'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { insertPublishedFlow, type PublishedFlow } from '../../../../tests/support/publishedFlow'
import type { Work } from '../../../platform/database/database'
import { createConsumers } from '../../../platform/events/createConsumers'
import { appendEvent } from '../../../platform/events/defineEvent'
import {
  about,
  conversationAssigned,
  conversationClosed,
  conversationHandedOver,
  conversationReopened,
  conversationStarted,
  messageCreated,
  runEnded,
  surveyAnswered,
} from '../../conversations/events'
import { periodBefore } from '../analytics/period'
import { readAnalytics, type Scope } from '../analytics/readAnalytics'
import { createVariableNames } from '../results/readAnswers'
import { countFacts } from './countFacts'
import { notePending } from './notePending'

const DAY = 86_400_000
const FIRST = Date.parse('2026-10-20T00:00:00Z')
const newId = createIdSource(randomBytes)

let database: TestDatabase
let member: string
beforeAll(async () => {
  database = await createTestDatabase()
  const values = { gid: newId(), first_name: 'Ada', last_name: 'Okafor', password_hash: 'x', created_at: new Date() }
  const { id } = await database.db
    .insertInto('users')
    .values({ ...values, email: 'ada@example.com' })
    .returning('id')
    .executeTakeFirstOrThrow()
  member = id
})
afterAll(() => database.close())

/** Numbers from 0 to below 1: the same ones for a seed. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

interface Said {
  author: 1 | 2
  person: boolean
  helpful: boolean | null
  at: number
}
/** A conversation as it was written, kept beside the database. */
interface History {
  id: string
  gid: string
  run: string
  environment: 'production' | 'sharing' | 'playground'
  channel: string
  language: string | null
  visitor: number | null
  page: string
  at: number
  said: Said[]
  handedOver: number | null
  /** the flow, or a person, goes on with it; or it has ended */
  status: 'bot' | 'person' | 'closed'
  rating: number | null
  resolved: boolean | null
  /** by the survey; and how often by questions of the flow */
  surveyed: boolean
  rated: number
  asked: { question: string; found: boolean; sources: string[] }[]
}

/** Writes random rows with their events, in any order, as turns, people and visitors do. */
function createWriter(flow: PublishedFlow, random: () => number) {
  const { db } = database
  const pick = <Value>(...values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value
  const histories: History[] = []
  const context = (at: number) =>
    ({ projectId: flow.projectId, by: { actor: 'bot' }, correlation: 'test', at: new Date(at) }) as const

  async function start(): Promise<void> {
    const history: Omit<History, 'id' | 'run'> = {
      gid: newId(),
      environment: pick('production', 'production', 'sharing', 'playground'),
      channel: pick('web', 'web', 'paper'),
      language: pick('en', 'pt-BR', 'PT-br', null),
      visitor: random() < 0.2 ? null : Math.floor(random() * 8),
      page: pick('', 'https://shop.example/a', 'https://shop.example/b'),
      at: FIRST + Math.floor(random() * 30 * DAY),
      ...{
        said: [],
        handedOver: null,
        status: 'bot',
        rating: null,
        resolved: null,
        asked: [],
        surveyed: false,
        rated: 0,
      },
    }
    const at = new Date(history.at)
    const { projectId: project_id, chatbotId: chatbot_id } = flow
    const test = history.environment === 'playground'
    await db.transaction().execute(async (work) => {
      const { id } = await work
        .insertInto('conversations')
        .values({
          ...{ gid: history.gid, project_id, chatbot_id, channel: history.channel, environment: history.environment },
          ...{
            language: history.language,
            token_hash: test ? null : randomBytes(32),
            started_by: test ? member : null,
          },
          ...{ start_client_id: newId(), last_client_id: null, created_at: at, updated_at: at },
          visitor_hash: history.visitor === null || test ? null : Buffer.alloc(32, history.visitor),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const run = await work
        .insertInto('runs')
        .values({
          ...{ project_id, conversation_id: id, number: 1, flow_version_id: flow.versionId, state: 'waiting' },
          ...{ session: '{}', created_at: at },
          start_event: JSON.stringify({ type: 'start', ...(history.page && { url: `${history.page}?q=\0#x` }) }),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await appendEvent(work, conversationStarted, context(history.at), { ...about(history), channel: history.channel })
      histories.push({ ...history, id, run: run.id })
    })
  }

  async function say(history: History): Promise<void> {
    const author = pick(1, 1, 2, 2, 2)
    const person = author === 1 && random() < 0.2
    const at = history.at + (history.said.length + 1) * 60_000
    const helpful = author === 1 && !person ? pick(null, null, true, false) : null
    const seq = history.said.length + 1
    await db.transaction().execute(async (work) => {
      await work
        .insertInto('messages')
        .values({
          ...{ conversation_id: history.id, project_id: flow.projectId, seq, author, block_id: null, client_id: null },
          ...{ content: JSON.stringify({ kind: 'text', text: plainRichText('Hi') }), created_at: new Date(at) },
          ...{ sender_id: person ? member : null, helpful },
        })
        .execute()
      await appendEvent(work, messageCreated, context(at), { ...about(history), first: seq, last: seq })
    })
    history.said.push({ author, person, helpful, at })
  }

  async function ask(history: History): Promise<void> {
    const question = pick('Where is my order?', 'where is my ORDER', 'Do you ship\0 abroad?', '')
    const [found, position, at] = [random() < 0.5, history.asked.length, new Date(history.at + DAY)]
    const sources = found ? pick([], ['Shipping'], ['Shipping', 'Shipping', 'Prices']) : []
    const request = { source: 'knowledge', question, language: null, temperature: null, instructions: '' }
    const result = { ok: true, found, text: '', sources: sources.map((title) => ({ title })) }
    await db.transaction().execute(async (work) => {
      await work
        .insertInto('effects')
        .values({
          ...{
            run_id: history.run,
            project_id: flow.projectId,
            turn: position,
            position: 0,
            type: 'call',
            key: newId(),
          },
          ...{ request: JSON.stringify({ service: 'ai.answer', request }), status: 'done', created_at: at },
          result: JSON.stringify({ ...result, debug: { searched: 'returns' } }),
        })
        .execute()
      await appendEvent(work, messageCreated, context(history.at), { ...about(history), first: 1, last: 1 })
    })
    history.asked.push({ question: question || 'returns', found, sources })
  }

  async function handOver(history: History): Promise<void> {
    if (history.handedOver !== null) return
    const at = history.at + Math.floor(random() * 600_000)
    await db.transaction().execute(async (work) => {
      await work
        .insertInto('hand_offs')
        .values({
          ...{
            conversation_id: history.id,
            project_id: flow.projectId,
            handed_over_at: new Date(at),
            team: '',
            note: '',
          },
          ...{ addresses: '[]', email: null, test: false, mailed_seq: 0, due_at: null, mailing_seq: null },
          mailing_key: null,
        })
        .execute()
      await appendEvent(work, conversationHandedOver, context(at), about(history))
    })
    history.handedOver = at
  }

  async function change(history: History, status: History['status'], events: (work: Work) => Promise<void>) {
    await db.transaction().execute(async (work) => {
      await work.updateTable('conversations').set({ status }).where('id', '=', history.id).execute()
      await events(work)
    })
    history.status = status
  }

  /** The flow comes to its end. */
  const end = (history: History): Promise<void> =>
    change(history, 'closed', async (work) => {
      if (history.status === 'closed') return
      await work.updateTable('runs').set({ state: 'ended' }).where('id', '=', history.run).execute()
      await appendEvent(work, runEnded, context(history.at), { ...about(history), run: 1 })
      await appendEvent(work, conversationClosed, context(history.at), about(history))
    })

  /** A person takes it over, or opens it again. */
  const take = (history: History): Promise<void> =>
    change(history, 'person', async (work) => {
      const told = context(history.at)
      if (history.status === 'closed') return appendEvent(work, conversationReopened, told, about(history))
      await appendEvent(work, conversationAssigned, told, { ...about(history), user: member })
    })

  async function rate(history: History): Promise<void> {
    const [rating, resolved] = [1 + Math.floor(random() * 5), pick(true, false, null)]
    const { projectId: project_id, chatbotId: chatbot_id } = flow
    const values = { conversation_id: history.id, project_id, chatbot_id, rating, resolved, answered_at: new Date() }
    await db.transaction().execute(async (work) => {
      await work
        .insertInto('survey_answers')
        .values({ ...values, follow_up: [], feedback: '' })
        .onConflict((again) => again.columns(['conversation_id', 'block_id']).doUpdateSet({ rating, resolved }))
        .execute()
      await appendEvent(work, surveyAnswered, context(history.at), { ...about(history), rating, resolved })
    })
    Object.assign(history, { rating, resolved, surveyed: true })
  }

  /** A question of the flow asks for a rating: it counts where the survey has none. */
  async function rateInFlow(history: History): Promise<void> {
    const rating = 1 + Math.floor(random() * 5)
    const { projectId: project_id, chatbotId: chatbot_id } = flow
    const answered_at = new Date(history.at + (history.rated + 1) * 1_000)
    const values = { conversation_id: history.id, project_id, chatbot_id, rating, resolved: null, answered_at }
    await db.transaction().execute(async (work) => {
      await work
        .insertInto('survey_answers')
        .values({ ...values, block_id: `block${history.rated}`, follow_up: [], feedback: '' })
        .execute()
      await appendEvent(work, surveyAnswered, context(history.at), { ...about(history), rating, resolved: null })
    })
    history.rated += 1
    if (!history.surveyed) history.rating = rating
  }

  return {
    histories,
    pick,
    async step() {
      const history = pick(...histories)
      if (!history || random() < 0.2) return start()
      return pick(say, say, say, say, ask, handOver, end, end, take, rate, rateInFlow)(history)
    },
  }
}

/** The day in a zone, as its clocks show it. */
const dayIn = (at: number, zone: string): string => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at)

/** The figures, from what was written: nothing here is shared with what is tested. */
function recount(all: readonly History[], { period, environment, channel }: Scope) {
  const inside = all.filter(
    (one) =>
      one.environment !== 'playground' &&
      dayIn(one.at, period.zone) >= period.from &&
      dayIn(one.at, period.zone) <= period.to &&
      (environment === undefined || one.environment === environment) &&
      (channel === undefined || one.channel === channel),
  )
  const total = (count: (one: History) => number | boolean) => inside.reduce((sum, one) => sum + Number(count(one)), 0)
  const own = (one: History) => one.said.filter(({ author }) => author === 2)
  const people = (one: History) => one.said.filter(({ person }) => person)
  const isStuck = (one: History) => {
    if (one.handedOver !== null || one.status === 'person') return true
    if (one.resolved === true) return false
    return one.asked.length === 0 ? one.status === 'bot' : one.asked.every(({ found }) => !found)
  }
  const outcome = (one: History) => {
    if (own(one).length === 0) return 'silent'
    if (one.resolved === false) return 'unresolved'
    if (people(one).length > 0) return 'person'
    return isStuck(one) ? 'unresolved' : 'bot'
  }
  const waited = (one: History) => {
    const [first, from] = [people(one)[0]?.at, one.handedOver ?? own(one)[0]?.at]
    return first === undefined || from === undefined ? 0 : Math.max(0, Math.floor((first - from) / 1000))
  }
  const stars = (rating: number) => total((one) => one.rating === rating)
  return {
    conversations: inside.length,
    messages: total((one) => one.said.length),
    visitors: new Set(inside.flatMap(({ visitor }) => visitor ?? [])).size + total(({ visitor }) => visitor === null),
    returning_visitors: total(
      (one) =>
        one.visitor !== null &&
        all.slice(0, all.indexOf(one)).some((two) => two.visitor === one.visitor && two.environment !== 'playground'),
    ),
    silent: total((one) => outcome(one) === 'silent'),
    resolved_bot: total((one) => outcome(one) === 'bot'),
    resolved_person: total((one) => outcome(one) === 'person'),
    unresolved: total((one) => outcome(one) === 'unresolved'),
    handed_over: total(({ handedOver }) => handedOver !== null),
    person_answered: total((one) => people(one).length > 0),
    answer_seconds: total(waited),
    rated: total(({ rating }) => rating !== null),
    rating_sum: total(({ rating }) => rating ?? 0),
    ...{ rated_1: stars(1), rated_2: stars(2), rated_3: stars(3), rated_4: stars(4), rated_5: stars(5) },
    helpful: total(({ said }) => said.filter(({ helpful }) => helpful === true).length),
    unhelpful: total(({ said }) => said.filter(({ helpful }) => helpful === false).length),
    questions: total(({ asked }) => asked.length),
    answered: total(({ asked }) => asked.filter(({ found }) => found).length),
    leads: 0,
    credits: environment === undefined && channel === undefined ? 0 : null,
  }
}

const sumOf = (rows: readonly { conversations: number }[]) => rows.reduce((sum, row) => sum + row.conversations, 0)

test.each([1, 2, 3, 16, 1_126])(
  'every figure is what a count of all rows gives, whenever it was counted (seed %i)',
  async (seed) => {
    const random = seeded(seed)
    const { db } = database
    const flow = await insertPublishedFlow(db, emptyFlow())
    const writer = createWriter(flow, random)
    const { pick } = writer
    const log = pino({ level: 'silent' })
    const context = { db, registry, ids: newId, clock: () => new Date(), log, namesOf: createVariableNames() }
    const consumers = createConsumers(context, [notePending])
    for (let step = 0; step < 400; step++) {
      await writer.step()
      if (random() < 0.04) await consumers.runDue()
      if (random() < 0.04) await countFacts(context, flow.projectId)
      // a replay tells of everything once more
      if (random() < 0.004) await consumers.replay('insights', new Date(FIRST))
    }
    await consumers.runDue()
    await countFacts(context)
    await consumers.close()

    for (let look = 0; look < 12; look++) {
      const from = FIRST + Math.floor(random() * 28) * DAY
      const to = from + Math.floor(random() * 20) * DAY
      const scope: Scope = {
        projectId: flow.projectId,
        chatbotId: pick(null, flow.chatbotId),
        period: {
          ...{ from: dayIn(from, 'UTC'), to: dayIn(to, 'UTC') },
          zone: pick('UTC', 'Asia/Kathmandu', 'America/New_York', 'Europe/Berlin'),
        },
        environment: pick(undefined, undefined, 'production', 'sharing'),
        channel: pick(undefined, undefined, 'web', 'paper'),
      }
      const { detail, series, now } = await readAnalytics(db.forProject(flow.projectId), scope, true)
      const wanted = recount(writer.histories, scope)
      const title = JSON.stringify(scope)
      expect(detail?.now, title).toEqual(wanted)
      expect(detail?.before, title).toEqual(recount(writer.histories, { ...scope, period: periodBefore(scope.period) }))
      expect(now.conversations, title).toBe(wanted.conversations)
      expect(sumOf(series), title).toBe(wanted.conversations)
      for (const list of [detail?.heat, detail?.languages, detail?.channels, detail?.environments])
        expect(sumOf(list ?? []), title).toBe(wanted.conversations)
      const asked = detail?.top_questions.reduce((sum, question) => sum + question.asked, 0)
      expect(asked, title).toBe(wanted.questions)
    }
  },
)
