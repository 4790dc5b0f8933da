import { randomBytes } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registry } from '../../../../blocks/registry'
import { createIdSource } from '../../../../engine/flow/ids'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { createWriter, FIRST, type History, recountQuestions, seeded } from '../../../../tests/support/histories'
import { insertPublishedFlow } from '../../../../tests/support/publishedFlow'
import { createWalks, walkedFlow } from '../../../../tests/support/walks'
import { type AgentFigureName, agentFigureNames, DRILLED_PER_PAGE } from '../../../contracts/analytics'
import { createConsumers } from '../../../platform/events/createConsumers'
import { countVisits } from '../../statistics/countVisits'
import { drill } from '../analytics/drill'
import { periodBefore } from '../analytics/period'
import { readAnalytics } from '../analytics/readAnalytics'
import type { Scope } from '../analytics/scope'
import { rollDays } from '../days/rollDays'
import { createVariableNames } from '../results/readAnswers'
import { countFacts } from './countFacts'
import { notePending } from './notePending'

const DAY = 86_400_000
const END = new Date(FIRST + 90 * DAY)
const newId = createIdSource(randomBytes)

let database: TestDatabase
let members: string[]
beforeAll(async () => {
  database = await createTestDatabase()
  const values = { last_name: 'Okafor', password_hash: 'x', created_at: new Date() }
  const people = ['Ada', 'Ben', 'Cleo'].map((first_name) => ({
    ...{ ...values, first_name, gid: newId(), email: `${first_name.toLowerCase()}@example.com` },
  }))
  const rows = await database.db.insertInto('users').values(people).returning('id').execute()
  members = rows.map(({ id }) => id)
})
afterAll(() => database.close())

/** The hour, and the day in a zone, as its clocks show it. */
const hourIn = (at: number, zone: string): number =>
  Number(new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format(at))
const dayIn = (at: number, zone: string): string => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at)

const inPlace = (one: History, { environment, channel }: Scope) =>
  one.environment !== 'playground' &&
  (environment === undefined || one.environment === environment) &&
  (channel === undefined || one.channel === channel)

/** As on a plan with all of analytics. */
const everything = { full: true, now: END }

const isInside = (one: History, scope: Scope) => {
  const { from, to, zone } = scope.period
  return inPlace(one, scope) && dayIn(one.at, zone) >= from && dayIn(one.at, zone) <= to
}

const wordings = (questions: readonly { wording: string; asked: number; answered: number }[] = []) =>
  questions.map(({ wording, asked, answered }) => ({ wording, asked, answered }))

/** The figures, from what was written: nothing here is shared with what is tested. */
function recount(all: readonly History[], emails: ReadonlyMap<History, string>, scope: Scope) {
  const { environment, channel } = scope
  const inside = all.filter((one) => isInside(one, scope))
  const total = (count: (one: History) => number | boolean) => inside.reduce((sum, one) => sum + Number(count(one)), 0)
  const own = (one: History) => one.said.filter(({ author }) => author === 2)
  const people = (one: History) => one.said.filter(({ person }) => person !== null)
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
    said_resolved: total(({ resolved }) => resolved === true),
    said_unresolved: total(({ resolved }) => resolved === false),
    commented: total(({ commented }) => commented),
    helpful: total(({ said }) => said.filter(({ helpful }) => helpful === true).length),
    unhelpful: total(({ said }) => said.filter(({ helpful }) => helpful === false).length),
    questions: total(({ asked }) => asked.length),
    answered: total(({ asked }) => asked.filter(({ found }) => found).length),
    leads: total((one) => emails.has(one)),
    credits: environment === undefined && channel === undefined ? 0 : null,
  }
}

/** When conversations began, by the hours of the week. */
function recountHeat(all: readonly History[], scope: Scope) {
  const { zone } = scope.period
  const cells = new Map<string, number>()
  for (const one of all.filter((each) => isInside(each, scope))) {
    const cell = `${new Date(dayIn(one.at, zone)).getUTCDay() || 7} ${hourIn(one.at, zone)}`
    cells.set(cell, (cells.get(cell) ?? 0) + 1)
  }
  return [...cells]
    .map(([cell, conversations]) => {
      const [weekday = 0, hour = 0] = cell.split(' ').map(Number)
      return { weekday, hour, conversations }
    })
    .toSorted((one, other) => one.weekday - other.weekday || one.hour - other.hour)
}

/** The work of each member, by id, from what was written. */
function recountAgents(all: readonly History[], scope: Scope) {
  const { from, to, zone } = scope.period
  const isInside = (at: number) => dayIn(at, zone) >= from && dayIn(at, zone) <= to
  const own = all.filter((one) => inPlace(one, scope))
  const inside = own.filter(({ at }) => isInside(at))
  const total = (count: (one: History) => number | boolean) => inside.reduce((sum, one) => sum + Number(count(one)), 0)
  const answers = (one: History) => one.said.filter(({ person }) => person !== null)
  const since = (one: History) => one.handedOver ?? one.said.find(({ author }) => author === 2)?.at ?? null
  const seconds = (from: number | null, to: number | undefined) =>
    from === null || to === undefined ? 0 : Math.max(0, Math.floor((to - from) / 1000))
  return members.flatMap((id) => {
    const closedAt = (one: History) => {
      const times = one.closed.filter(({ by }) => by === id).map(({ at }) => at)
      return times.length === 0 ? undefined : Math.max(...times)
    }
    const isFirst = (one: History) => answers(one)[0]?.person === id
    const isRated = (one: History) => one.rating !== null && answers(one).at(-1)?.person === id
    const hours = Array.from({ length: 24 }, () => 0)
    for (const { person, at } of own.flatMap(({ said }) => said))
      if (person === id && isInside(at)) hours[hourIn(at, zone)] = (hours[hourIn(at, zone)] ?? 0) + 1
    const figures = {
      taken: total(({ taken }) => taken.includes(id)),
      replied: total((one) => answers(one).some(({ person }) => person === id)),
      closed: total((one) => closedAt(one) !== undefined),
      closed_seconds: total((one) => seconds(since(one) ?? one.at, closedAt(one))),
      messages: total((one) => answers(one).filter(({ person }) => person === id).length),
      first_answers: total(isFirst),
      first_answer_seconds: total((one) => (isFirst(one) ? seconds(since(one), answers(one)[0]?.at) : 0)),
      rated: total(isRated),
      rating_sum: total((one) => (isRated(one) ? (one.rating ?? 0) : 0)),
      open: own.filter(({ status, assignee }) => status === 'person' && assignee === id).length,
    }
    const isIdle = [...Object.values(figures), ...hours].every((figure) => figure === 0)
    return isIdle ? [] : [{ ...figures, hours }]
  })
}

const textOf = (row: Record<string, unknown>) => JSON.stringify(Object.entries(row).toSorted())
const sortedByText = <Row extends Record<string, unknown>>(rows: readonly Row[]): Row[] =>
  rows.toSorted((one, other) => (textOf(one) < textOf(other) ? -1 : 1))

const nameOf = (figure: AgentFigureName) =>
  figure.slice('agent_'.length) as 'taken' | 'replied' | 'closed' | 'first_answers' | 'rated' | 'open'
/** The others count conversations: this one's counts messages. */
const agentFigures = agentFigureNames.filter((name) => name !== 'agent_sent')

const sumOf = (rows: readonly { conversations: number }[]) => rows.reduce((sum, row) => sum + row.conversations, 0)

/** The point of the series in which a moment is. */
function pointIn(at: number, { period: { zone } }: Scope, like: string): string {
  const hour = like.length > 10 ? `T${String(hourIn(at, zone)).padStart(2, '0')}` : ''
  return `${dayIn(at, zone)}${hour}`
}

/** A page of conversations, and one more if there are more. */
const aPage = (all: number) => Math.min(DRILLED_PER_PAGE + 1, all)

/** The counts of groups and blocks, whose days are those of UTC, each with its conversations. */
async function expectReached(
  scope: Scope,
  walks: ReturnType<typeof createWalks>,
  histories: readonly History[],
): Promise<void> {
  if (scope.chatbotId === null) return
  const title = JSON.stringify(scope)
  const own = database.db.forProject(scope.projectId)
  const { detail } = await readAnalytics(own, scope, everything)
  const { from, to } = scope.period
  const wanted = walks.recount(
    histories.filter((one) => isInside(one, { ...scope, period: { from, to, zone: 'UTC' } })),
    END.getTime(),
  )
  const funnel = detail?.funnel.map(({ title: _, ...counts }) => counts) ?? []
  const blocks = detail?.blocks.map(({ kind: _, group: __, ...counts }) => counts) ?? []
  expect(sortedByText(funnel), title).toEqual(sortedByText(wanted.funnel))
  expect(sortedByText(blocks), title).toEqual(sortedByText(wanted.blocks))
  const lost = detail?.drop_off.map(({ block, left }) => ({ block, left })) ?? []
  const everywhere = wanted.blocks.flatMap(({ block, left }) => (left > 0 ? [{ block, left }] : []))
  expect(sortedByText(lost), title).toEqual(sortedByText(everywhere))
  for (const { conversations, left, ...at } of [...wanted.funnel, ...wanted.blocks]) {
    const reached = await drill(own, scope, { figure: 'reached', ...at }, END)
    expect(reached.length, `${title} ${JSON.stringify(at)}`).toBe(aPage(conversations))
    if (!('block' in at)) continue
    const gone = await drill(own, scope, { figure: 'left', ...at }, END)
    expect(gone.length, `${title} left ${at.block}`).toBe(aPage(left))
  }
}

/** The conversations behind the hours at which a member wrote. */
async function expectSent(
  scope: Scope,
  agent: { gid: string; hours: readonly number[] } | undefined,
  histories: readonly History[],
): Promise<void> {
  if (!agent) return
  const { from, to, zone } = scope.period
  const { id } = await database.db
    .selectFrom('users')
    .select('id')
    .where('gid', '=', agent.gid)
    .executeTakeFirstOrThrow()
  const own = database.db.forProject(scope.projectId)
  for (const hour of agent.hours.flatMap((messages, at) => (messages > 0 ? [at] : [])).slice(0, 3)) {
    const wrote = histories.filter(
      (one) =>
        inPlace(one, scope) &&
        one.said.some(
          ({ person, at }) =>
            person === id && hourIn(at, zone) === hour && dayIn(at, zone) >= from && dayIn(at, zone) <= to,
        ),
    )
    const found = await drill(own, scope, { figure: 'agent_sent', agent: agent.gid, hour }, END)
    expect(found.length, `${JSON.stringify(scope)} ${hour}`).toBe(aPage(wrote.length))
  }
}

test.each([1, 2, 3, 16, 1_126])(
  'every figure is what a count of all rows gives, whenever it was counted (seed %i)',
  async (seed) => {
    const random = seeded(seed)
    const { db } = database
    const flow = await insertPublishedFlow(db, walkedFlow())
    const writer = createWriter(db, flow, members, random)
    // of a sequence of their own: those of seeds that failed once stay
    const walks = createWalks(db, flow, seeded(seed + 7))
    const { pick } = writer
    const log = pino({ level: 'silent' })
    const context = { db, registry, ids: newId, clock: () => new Date(), log, namesOf: createVariableNames() }
    const consumers = createConsumers(context, [notePending])
    for (let step = 0; step < 400; step++) {
      await writer.step()
      await walks.step(writer.histories)
      if (random() < 0.04) await consumers.runDue()
      if (random() < 0.04) await countFacts(context, flow.projectId)
      if (step % 60 === 0) await countVisits({ db })
      if (random() < 0.04) await rollDays({ db, clock: () => END })
      // a replay tells of everything once more
      if (random() < 0.004) await consumers.replay('insights', new Date(FIRST))
    }
    await consumers.runDue()
    await countFacts(context)
    await countVisits({ db })
    await consumers.close()
    // some days are rolled up, some have changed since, some never were
    if (random() < 0.7) await rollDays({ db, clock: () => pick(END, new Date(FIRST + 15 * DAY)) })

    for (let look = 0; look < 12; look++) {
      const from = FIRST + Math.floor(random() * 28) * DAY
      const to = from + Math.floor(random() * 45) * DAY
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
      const { detail, series, now } = await readAnalytics(db.forProject(flow.projectId), scope, everything)
      const wanted = recount(writer.histories, walks.emails, scope)
      const title = JSON.stringify(scope)
      expect(detail?.now, title).toEqual(wanted)
      expect(detail?.before, title).toEqual(
        recount(writer.histories, walks.emails, { ...scope, period: periodBefore(scope.period) }),
      )
      expect(now.conversations, title).toBe(wanted.conversations)
      expect(sumOf(series), title).toBe(wanted.conversations)
      for (const list of [detail?.heat, detail?.languages, detail?.channels, detail?.environments])
        expect(sumOf(list ?? []), title).toBe(wanted.conversations)
      expect(detail?.heat, title).toEqual(recountHeat(writer.histories, scope))
      for (const { at, ...point } of series) {
        const then = writer.histories.filter((one) => isInside(one, scope) && pointIn(one.at, scope, at) === at)
        const messages = then.reduce((sum, { said }) => sum + said.length, 0)
        expect(point, `${title} ${at}`).toMatchObject({ conversations: then.length, messages })
      }
      const ofChatbot = scope.chatbotId === null
      expect(detail?.chatbots.map(({ conversations }) => conversations) ?? [], title).toEqual(
        ofChatbot && wanted.conversations > 0 ? [wanted.conversations] : [],
      )
      const asked = await recountQuestions(
        db,
        writer.histories.filter((one) => isInside(one, scope)),
      )
      expect(
        { top_questions: wordings(detail?.top_questions), unanswered: wordings(detail?.unanswered) },
        title,
      ).toEqual(asked)
      const agents = detail?.agents.map(({ gid: _, name: __, ...figures }) => figures) ?? []
      expect(sortedByText(agents), title).toEqual(sortedByText(recountAgents(writer.histories, scope)))
      const agent = pick(...(detail?.agents ?? []))
      const own = db.forProject(flow.projectId)
      const behind = await Promise.all(
        agentFigures.map((figure) => drill(own, scope, { figure, agent: agent?.gid }, everything.now)),
      )
      await expectReached(scope, walks, writer.histories)
      await expectSent(scope, agent, writer.histories)
      for (const [figure, behindIt] of [
        ['visitors', wanted.conversations],
        ['messages', writer.histories.filter((one) => isInside(one, scope) && one.said.length > 0).length],
        ['leads', wanted.leads],
      ] as const)
        expect((await drill(own, scope, { figure }, END)).length, `${title} ${figure}`).toBe(aPage(behindIt))
      const cell = pick(...(detail?.heat ?? []))
      if (cell) {
        const found = await drill(own, scope, { figure: 'conversations', ...cell }, everything.now)
        expect(found.length, title).toBe(Math.min(DRILLED_PER_PAGE + 1, cell.conversations))
      }
      const source = pick(...(detail?.sources ?? []))
      if (source) {
        const cited = writer.histories.filter(
          (one) => isInside(one, scope) && one.asked.some(({ sources }) => sources.includes(source.title)),
        )
        const found = await drill(own, scope, { figure: 'questions', source: source.title }, everything.now)
        expect(found.length, title).toBe(Math.min(DRILLED_PER_PAGE + 1, cited.length))
      }
      // a page, and one more
      expect(
        behind.map((rows) => rows.length),
        title,
      ).toEqual(agentFigures.map((figure) => Math.min(DRILLED_PER_PAGE + 1, agent?.[nameOf(figure)] ?? 0)))
    }
  },
)
