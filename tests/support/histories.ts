import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { createIdSource } from '../../engine/flow/ids'
import { plainRichText } from '../../engine/values/richText'
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
} from '../../server/modules/conversations/events'
import type { RootDb, Work } from '../../server/platform/database/database'
import { appendEvent } from '../../server/platform/events/defineEvent'
import type { PublishedFlow } from './publishedFlow'

const DAY = 86_400_000
/** No conversation begins before. */
export const FIRST = Date.parse('2026-10-20T00:00:00Z')
const newId = createIdSource(randomBytes)

/** Numbers from 0 to below 1: the same ones for a seed. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

interface Said {
  author: 1 | 2
  /** the member who wrote it; null: the bot, or the visitor */
  person: string | null
  helpful: boolean | null
  at: number
}
/** A conversation as it was written, kept beside the database. */
export interface History {
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
  /** its run has come to its end: it takes no more turns, also when a person opens the conversation again */
  ended: boolean
  rating: number | null
  resolved: boolean | null
  commented: boolean
  /** by the survey; and how often by questions of the flow */
  surveyed: boolean
  rated: number
  asked: { question: string; found: boolean; sources: string[] }[]
  /** who was given it */
  taken: string[]
  /** who closed it, and when, the last time last */
  closed: { by: string; at: number }[]
  assignee: string | null
}

interface Wording {
  wording: string
  asked: number
  answered: number
  /** when the last conversation with it began, and the last with it unanswered */
  last: number
  lastUnanswered: number
}

/**
 * The ten wordings asked most in some conversations, and those without an answer, of equally frequent ones the latest
 * first. Those of one conversation are in the order of the numbers that the database gives them.
 */
export async function recountQuestions(db: RootDb, all: readonly History[]) {
  const counted = new Map<string, Wording>()
  for (const { asked, at } of all)
    for (const { question, found } of asked) {
      const wording =
        question
          .toLowerCase()
          .match(/[a-z0-9]+/g)
          ?.join(' ') ?? ''
      const one = counted.get(wording) ?? { wording, asked: 0, answered: 0, last: 0, lastUnanswered: 0 }
      one.asked++
      one.last = Math.max(one.last, at)
      if (found) one.answered++
      else one.lastUnanswered = Math.max(one.lastUnanswered, at)
      counted.set(wording, one)
    }
  const { rows } = await sql<{ wording: string }>`
    select wording from unnest(${[...counted.keys()]}::text[]) as asked (wording)
    order by hashtextextended(wording, 0)`.execute(db)
  const wordings = rows.flatMap(({ wording }) => counted.get(wording) ?? [])
  const shown = (sorted: readonly Wording[]) =>
    sorted.slice(0, 10).map(({ wording, asked, answered }) => ({ wording, asked, answered }))
  const missing = ({ asked, answered }: Wording) => asked - answered
  const unanswered = wordings.filter((one) => missing(one) > 0)
  return {
    top_questions: shown(wordings.toSorted((one, other) => other.asked - one.asked || other.last - one.last)),
    unanswered: shown(
      unanswered.toSorted((one, other) => missing(other) - missing(one) || other.lastUnanswered - one.lastUnanswered),
    ),
  }
}

/** Writes random rows with their events, in any order, as turns, people and visitors do. */
export function createWriter(db: RootDb, flow: PublishedFlow, members: readonly string[], random: () => number) {
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
        ended: false,
        rating: null,
        resolved: null,
        commented: false,
        asked: [],
        surveyed: false,
        rated: 0,
        taken: [],
        closed: [],
        assignee: null,
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
            started_by: test ? pick(...members) : null,
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
    const person = author === 1 && random() < 0.4 ? pick(...members) : null
    const at = history.at + (history.said.length + 1) * 400_000
    const helpful = author === 1 && !person ? pick(null, null, true, false) : null
    const seq = history.said.length + 1
    await db.transaction().execute(async (work) => {
      await work
        .insertInto('messages')
        .values({
          ...{ conversation_id: history.id, project_id: flow.projectId, seq, author, block_id: null, client_id: null },
          ...{ content: JSON.stringify({ kind: 'text', text: plainRichText('Hi') }), created_at: new Date(at) },
          ...{ sender_id: person, helpful },
        })
        .execute()
      await appendEvent(work, messageCreated, context(at), { ...about(history), first: seq, last: seq })
    })
    history.said.push({ author, person, helpful, at })
  }

  async function ask(history: History): Promise<void> {
    const picked = pick('Where is my order?', 'where is my ORDER', 'Do you ship\0 abroad?', '')
    // some are asked several times, some once
    const place = histories.length % 2 === 0 ? histories.length : histories.length % 9
    const question = picked.startsWith('Do') ? `Do you ship\0 to place ${place}?` : picked
    const [found, position, at] = [random() < 0.5, history.asked.length, new Date(history.at + DAY)]
    const sources = found ? pick([], ['Shipping'], ['Shipping', 'Shipping', 'Prices']) : []
    const request = { source: 'knowledge', question, language: null, temperature: null, instructions: '' }
    const result = { ok: true, found, text: '', sources: sources.map((title) => ({ title })) }
    // some choose one of the nearest questions that are offered then, which may be gone by now
    const chosen = !found && random() < 0.4 ? { found: random() < 0.8, title: 'Near' } : null
    const calls = [
      { request, result },
      ...(chosen
        ? [
            {
              request: { ...request, chosen: 'near' },
              result: { ...result, found: chosen.found, sources: chosen.found ? [{ title: chosen.title }] : [] },
            },
          ]
        : []),
    ]
    await db.transaction().execute(async (work) => {
      const effect = { run_id: history.run, project_id: flow.projectId, turn: position, type: 'call' } as const
      for (const [place, call] of calls.entries())
        await work
          .insertInto('effects')
          .values({
            ...{ ...effect, position: place, key: newId(), status: 'done', created_at: at },
            request: JSON.stringify({ service: 'ai.answer', request: call.request }),
            result: JSON.stringify({ ...call.result, debug: { searched: 'returns' } }),
          })
          .execute()
      await appendEvent(work, messageCreated, context(history.at), { ...about(history), first: 1, last: 1 })
    })
    const mended = chosen?.found ? { found: true, sources: [chosen.title] } : { found, sources }
    history.asked.push({ question: question || 'returns', ...mended })
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
    const { assignee } = history
    await db.transaction().execute(async (work) => {
      const changed = { status, assignee_id: assignee }
      await work.updateTable('conversations').set(changed).where('id', '=', history.id).execute()
      await events(work)
    })
    history.status = status
  }

  /** The flow comes to its end, or a person closes it. */
  const end = (history: History): Promise<void> => {
    const by = random() < 0.5 ? pick(...members) : null
    const at = history.at + Math.floor(random() * DAY)
    return change(history, 'closed', async (work) => {
      if (history.status === 'closed') return
      const told = { ...context(at), by: by === null ? context(at).by : ({ actor: 'user', userId: by } as const) }
      await work.updateTable('runs').set({ state: 'ended' }).where('id', '=', history.run).execute()
      history.ended = true
      await appendEvent(work, runEnded, told, { ...about(history), run: 1 })
      await appendEvent(work, conversationClosed, told, about(history))
      if (by !== null) history.closed.push({ by, at })
    })
  }

  /** A person takes it over, or opens it again. */
  const take = (history: History): Promise<void> => {
    const user = pick(...members)
    const isClosed = history.status === 'closed'
    if (!isClosed || history.assignee === null) history.assignee = user
    return change(history, 'person', async (work) => {
      const told = context(history.at)
      if (isClosed) return appendEvent(work, conversationReopened, told, about(history))
      await appendEvent(work, conversationAssigned, told, { ...about(history), user })
      history.taken.push(user)
    })
  }

  async function rate(history: History): Promise<void> {
    const [rating, resolved] = [1 + Math.floor(random() * 5), pick(true, false, null)]
    const { projectId: project_id, chatbotId: chatbot_id } = flow
    const feedback = rating === 2 ? 'Too slow' : ''
    const values = { conversation_id: history.id, project_id, chatbot_id, rating, resolved, answered_at: new Date() }
    await db.transaction().execute(async (work) => {
      await work
        .insertInto('survey_answers')
        .values({ ...values, follow_up: [], feedback })
        .onConflict((again) =>
          again.columns(['conversation_id', 'block_id']).doUpdateSet({ rating, resolved, feedback }),
        )
        .execute()
      await appendEvent(work, surveyAnswered, context(history.at), { ...about(history), rating, resolved })
    })
    Object.assign(history, { rating, resolved, commented: feedback !== '', surveyed: true })
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
