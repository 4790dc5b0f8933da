import { sql } from 'kysely'
import type { Registry } from '../../../../engine/flow/registry'
import type { TraceStep } from '../../../../engine/run/session'
import { cleanText } from '../../../../engine/values/cleanText'
import { printValue } from '../../../../engine/values/render'
import type { Work } from '../../../platform/database/database'
import type { FlowAnswer } from '../tables'

/** What a visitor answered, and which kinds of questions asked for it. */
export interface Answered {
  answers: FlowAnswer[]
  /** by kind of block, in the order of the answers */
  byKind: { kind: string; value: string }[]
  /** the last flow came to its end */
  completed: boolean
}

const LONGEST = 3_000
/** Questions kept of one conversation. */
const MOST = 200

interface StepsRow {
  conversation_id: string
  flow_version_id: string
  state: string
  trace: TraceStep[]
}

/**
 * The answers in conversations: what blocks that ask have set. The last answer to a question counts.
 * @param work sees the conversations' projects
 */
export async function readAnswers(
  work: Work,
  { registry, namesOf }: { registry: Registry; namesOf: VariableNames },
  ids: readonly string[],
): Promise<Map<string, Answered>> {
  // a turn without a set variable is not read; as text, since PostgreSQL reads no JSON with U+0000 in it
  const { rows } = await sql<StepsRow>`
    select r.conversation_id, r.flow_version_id, r.state, t.trace
    from runs r join turn_records t on t.run_id = r.id and t.project_id = r.project_id
    where r.conversation_id = any(${ids}::bigint[]) and t.trace::text like '%"writes":{"%'
    order by r.conversation_id, r.number, t.turn`.execute(work)
  const found = new Map<string, Map<string, FlowAnswer & { kind: string }>>()
  const completed = new Map<string, boolean>()
  for (const { conversation_id, flow_version_id, state, trace } of rows) {
    const names = await namesOf(work, flow_version_id)
    completed.set(conversation_id, state === 'ended')
    const answers = found.get(conversation_id) ?? new Map<string, FlowAnswer & { kind: string }>()
    found.set(conversation_id, answers)
    for (const { kind, writes } of trace) {
      if (registry.find(kind)?.category !== 'input') continue
      for (const [id, value] of Object.entries(writes)) {
        const text = cleanText(printValue(value)).trim().slice(0, LONGEST)
        const name = names.get(id)
        if (name === undefined || text === '' || (answers.size >= MOST && !answers.has(id))) continue
        answers.set(id, { id, name, value: text, kind })
      }
    }
  }
  return new Map(
    [...found]
      .filter(([, answers]) => answers.size > 0)
      .map(([conversation, answers]) => [
        conversation,
        {
          answers: [...answers.values()].map(({ kind: _, ...answer }) => answer),
          byKind: [...answers.values()].map(({ kind, value }) => ({ kind, value })),
          completed: completed.get(conversation) ?? false,
        },
      ]),
  )
}

/** Versions whose names are kept: they never change, and a large one takes long to read. */
const KEPT = 200

export type VariableNames = (work: Work, version: string) => Promise<ReadonlyMap<string, string>>

/** Reads the names of a version's variables, of all its flows; remembers those read last. */
export function createVariableNames(): VariableNames {
  const kept = new Map<string, ReadonlyMap<string, string>>()
  return async (work, version) => {
    const before = kept.get(version)
    if (before) return before
    const row = await work
      .selectFrom('flow_versions')
      .select(['flow', 'flows'])
      .where('id', '=', version)
      .executeTakeFirst()
    const flows = row ? [row.flow, ...Object.values(row.flows)] : []
    const names = new Map(flows.flatMap(({ variables }) => variables).map(({ id, name }) => [id, name]))
    const [oldest] = kept.keys()
    if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest)
    kept.set(version, names)
    return names
  }
}
