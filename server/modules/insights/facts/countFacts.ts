import { sql } from 'kysely'
import type { ServerContext } from '../../../platform/context'
import type { Work } from '../../../platform/database/database'
import { appendEvent } from '../../../platform/events/defineEvent'
import { leadCreated } from '../../contacts/events'
import { pageOf } from '../../conversations/chat/visitedPages'
import { readAgentFacts } from '../agents/readAgentFacts'
import { saveAgentFacts } from '../agents/saveAgentFacts'
import { type FoundLead, leadOf } from '../leads/leadOf'
import { type AgentLead, readAgentLeads } from '../leads/readAgentLeads'
import { type Answered, readAnswers, type VariableNames } from '../results/readAnswers'
import { type Measures, measures, sums } from './measures'
import { type AskedQuestion, readQuestions } from './questions'
import { type ConversationRow, measure, readRows } from './readFacts'

/** Any number that nothing else in Parley locks. */
const COUNTING_LOCK = 7_027_703
const AT_ONCE = 100
/** The most transactions per call: the rest is left to the next call. */
const ROUNDS = { sweep: 500, reader: 20 } as const

type FactsContext = Pick<ServerContext, 'db' | 'registry' | 'ids' | 'clock'> & { namesOf: VariableNames }

/**
 * Counts the conversations that have changed since the last time: their facts are read again from their rows, and what
 * they add to the figures now takes the place of what they added before. So counting twice changes nothing, and every
 * figure is what a count of all rows would give.
 * @param projectId only those of this project; null: all
 */
export async function countFacts(context: FactsContext, projectId: string | null = null): Promise<void> {
  const rounds = projectId === null ? ROUNDS.sweep : ROUNDS.reader
  for (let round = 0; round < rounds; round++) {
    const counted = await context.db.transaction().execute((work) => countSome(work, context, projectId))
    if (counted < AT_ONCE) return
  }
}

/** @returns how many conversations were counted */
async function countSome(work: Work, context: FactsContext, projectId: string | null): Promise<number> {
  // two that count the same conversation would each take away what it added before
  await sql`select pg_advisory_xact_lock(${COUNTING_LOCK})`.execute(work)
  const ids = await takePending(work, projectId)
  if (ids.length === 0) return 0
  // a change that commits from here on adds its conversation to the pending ones again
  const rows = await readRows(work, ids)
  const questions = await readQuestions(work, ids)
  const answers = await readAnswers(work, context, ids)
  const agents = await readAgentLeads(work, ids)
  const facts = rows.map((row) => factsOf(row, questions.get(row.id) ?? []))
  await addDifferences(work, ids, facts)
  await saveFacts(work, ids, facts)
  await saveAgentFacts(work, ids, await readAgentFacts(work, rows))
  await saveQuestions(work, ids, rows, questions)
  await saveAnswers(work, context, rows, answers)
  await saveLeads(work, context, rows, { answers, agents })
  return ids.length
}

/**
 * Takes pending conversations, without those that are in a turn. Their rows can't be deleted before this commits; those
 * deleted before are forgotten.
 */
async function takePending(work: Work, projectId: string | null): Promise<string[]> {
  const inProject = projectId === null ? sql`true` : sql`p.project_id = ${projectId}`
  const { rows } = await sql<{ id: string }>`
    select c.id from insight_pending p
      join conversations c on c.id = p.conversation_id and c.project_id = p.project_id
    where ${inProject} order by c.id limit ${AT_ONCE}
    for key share of c skip locked`.execute(work)
  const ids = rows.map(({ id }) => id)
  await sql`delete from insight_pending p where p.conversation_id = any(${ids}::bigint[])
    or ${inProject} and not exists (
      select from conversations c where c.id = p.conversation_id and c.project_id = p.project_id)`.execute(work)
  return ids
}

type Facts = Measures & {
  conversation_id: string
  project_id: string
  chatbot_id: string
  environment: string
  channel: string
  language: string
  quarter: Date
  visitor: string | null
  page: string
  started_at: Date
}

function factsOf(row: ConversationRow, questions: readonly AskedQuestion[]): Facts {
  return {
    conversation_id: row.id,
    project_id: row.project_id,
    chatbot_id: row.chatbot_id,
    environment: row.environment,
    channel: row.channel,
    language: row.language,
    quarter: row.quarter,
    // as PostgreSQL reads bytes in JSON
    visitor: row.visitor && `\\x${row.visitor.toString('hex')}`,
    page: pageOf(row.start_event?.url),
    started_at: row.started_at,
    ...measure(row, questions.length, questions.filter(({ answered }) => answered).length),
  }
}

const columns = (names: readonly string[], prefix = '') => sql.raw(names.map((name) => prefix + name).join(', '))
const each = (write: (name: string) => string) => sql.raw(measures.map(write).join(', '))

const dimensions = sql.raw(`project_id, chatbot_id, environment, channel, language, quarter,
  date_bin('1 day', quarter, 'epoch') as day`)

/** Adds to the quarters and days what the conversations' facts differ by from those stored. */
async function addDifferences(work: Work, ids: readonly string[], facts: readonly Facts[]): Promise<void> {
  const stored = JSON.stringify(facts)
  for (const [table, by] of sums)
    await sql`
      insert into ${sql.table(table)} as sums (project_id, ${columns(by)}, ${columns(measures)})
      select project_id, ${columns(by)}, ${each((name) => `sum(${name})`)} from (
        select ${dimensions}, ${columns(measures)}
          from json_populate_recordset(null::conversation_facts, ${stored}::json)
        union all
        select ${dimensions}, ${each((name) => `-${name}`)}
          from conversation_facts where conversation_id = any(${ids}::bigint[])) as change
      group by project_id, ${columns(by)}
      order by ${columns(by)}
      on conflict (${columns(by)}) do update set ${each((name) => `${name} = sums.${name} + excluded.${name}`)}`.execute(
      work,
    )
}

async function saveFacts(work: Work, ids: readonly string[], facts: readonly Facts[]): Promise<void> {
  const read = sql`json_populate_recordset(null::conversation_facts, ${JSON.stringify(facts)}::json)`
  // what days are rolled up from is replaced only where it differs, as each row that is added or removed has its day
  // rolled up again
  await sql`delete from conversation_facts as stored where conversation_id = any(${ids}::bigint[]) and not exists (
    select from ${read} as new where ${sameAs('stored', 'new', ['conversation_id', ...rolledOfFacts])})`.execute(work)
  await sql`insert into conversation_facts select * from ${read}
    on conflict (conversation_id) do update set (language, quarter, ${columns(measures)})
      = (excluded.language, excluded.quarter, ${columns(measures, 'excluded.')})`.execute(work)
}

const rolledOfFacts = ['project_id', 'chatbot_id', 'environment', 'channel', 'started_at', 'visitor', 'page']

const sameAs = (one: string, other: string, names: readonly string[]) =>
  sql.raw(names.map((name) => `${one}.${name} is not distinct from ${other}.${name}`).join(' and '))

async function saveQuestions(
  work: Work,
  ids: readonly string[],
  rows: readonly ConversationRow[],
  questions: ReadonlyMap<string, readonly AskedQuestion[]>,
): Promise<void> {
  const values = rows.flatMap((row) =>
    (questions.get(row.id) ?? []).map((question, position) => ({
      ...{ ...placeOf(row), channel: row.channel, started_at: row.started_at },
      position,
      ...question,
    })),
  )
  const read = sql`json_populate_recordset(null::asked_questions, ${JSON.stringify(values)}::json)`
  await sql`delete from asked_questions as stored where conversation_id = any(${ids}::bigint[]) and not exists (
    select from ${read} as new where ${sameAs('stored', 'new', askedColumns)})`.execute(work)
  const written = columns(askedColumns)
  await sql`insert into asked_questions (${written}) select ${written} from ${read}
    on conflict (conversation_id, position) do nothing`.execute(work)
}

const askedColumns = [
  ...['conversation_id', 'project_id', 'chatbot_id', 'environment', 'channel', 'started_at'],
  ...['position', 'question', 'wording', 'answered', 'said', 'sources', 'asked_at'],
]

const placeOf = (row: ConversationRow) => ({
  conversation_id: row.id,
  project_id: row.project_id,
  chatbot_id: row.chatbot_id,
  environment: row.environment,
})

async function saveAnswers(
  work: Work,
  { ids }: FactsContext,
  rows: readonly ConversationRow[],
  answered: ReadonlyMap<string, Answered>,
): Promise<void> {
  for (const row of rows) {
    const found = answered.get(row.id)
    if (!found) continue
    const answers = JSON.stringify(found.answers)
    const { completed } = found
    await work
      .insertInto('flow_results')
      .values({ gid: ids(), ...placeOf(row), answers, completed, started_at: row.started_at })
      .onConflict((again) => again.column('conversation_id').doUpdateSet({ answers, completed }))
      .execute()
  }
}

/** The leads that answers are, and what agents took; what people noted of a lead stays. */
async function saveLeads(
  work: Work,
  { ids, clock }: FactsContext,
  rows: readonly ConversationRow[],
  { answers: answered, agents }: { answers: ReadonlyMap<string, Answered>; agents: ReadonlyMap<string, AgentLead> },
): Promise<void> {
  for (const row of rows) {
    const found = answered.get(row.id)
    const agent = agents.get(row.id)
    const lead = withAddress(joinLeads(found ? leadOf(found) : null, agent), row.hand_off_email)
    if (!lead) continue
    const answers = JSON.stringify([...(found?.answers ?? []), ...(agent?.answers ?? [])])
    const gid = ids()
    const kept = await work
      .insertInto('leads')
      .values({
        gid,
        ...placeOf(row),
        channel: row.channel,
        ...lead,
        answers,
        created_at: row.started_at,
        updated_at: clock(),
      })
      .onConflict((again) =>
        again
          .column('conversation_id')
          .where('conversation_id', 'is not', null)
          .doUpdateSet({ ...lead, answers })
          .where('leads.deleted', '=', false),
      )
      .returning('gid')
      .executeTakeFirst()
    if (kept?.gid !== gid) continue
    const by = { actor: 'visitor' } as const
    const told = { projectId: row.project_id, by, correlation: row.gid, at: clock() }
    await appendEvent(work, leadCreated, told, { lead: gid, conversation: row.gid })
  }
}

/** Who asks for people and says where to answer can be reached as well. */
function withAddress(lead: FoundLead | null, email: string | null): FoundLead | null {
  if (!email) return lead
  return lead ? { ...lead, email: lead.email || email } : { source: 'email', name: '', email, phone: '' }
}

/** What the flow asked for comes first; the agent adds what it lacks. */
function joinLeads(flow: FoundLead | null, agent: AgentLead | undefined): FoundLead | null {
  if (!agent) return flow
  const { name, email, phone } = agent
  if (!flow) return { source: 'agent', name, email, phone }
  return { source: flow.source, name: flow.name || name, email: flow.email || email, phone: flow.phone || phone }
}
