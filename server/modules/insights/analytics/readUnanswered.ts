import { sql } from 'kysely'
import type { UnansweredKind } from '../../../contracts/unanswered'
import type { ProjectDb } from '../../../platform/database/database'

/** A wording that got no answer when it was asked last, or an uncertain one. */
export interface UnansweredQuestion {
  wording: string
  /** a number as text, which stands for the wording */
  wording_hash: string
  /** as it was asked last */
  question: string
  /** how often without an answer in the period, or with an uncertain one */
  asked: number
  /** the uncertain answer that was given last; null: none */
  said: string | null
  last_at: Date
}

/** Questions of a chatbot that are read, the latest first: beyond them a long period takes too long. */
const MOST_READ = 20_000

/**
 * The questions of a chatbot that got no answer when they were asked last, or an uncertain one; those asked most first.
 * @param most how many wordings
 */
export async function readUnanswered(
  db: ProjectDb,
  { projectId, chatbotId }: { projectId: string; chatbotId: string },
  since: Date,
  { show, most }: { show: UnansweredKind; most: number },
): Promise<UnansweredQuestion[]> {
  const wanted = show === 'uncertain' ? sql`answered and said is not null` : sql`not answered`
  const { rows } = await sql<UnansweredQuestion>`
    with latest as (
      select wording, wording_hash, question, ${wanted} as wanted, said, asked_at from asked_questions
      where project_id = ${projectId} and chatbot_id = ${chatbotId} and started_at >= ${since} and wording <> ''
      order by started_at desc limit ${MOST_READ}
    )
    select min(wording) as wording, wording_hash::text, (array_agg(question order by asked_at desc))[1] as question,
      (count(*) filter (where wanted))::int as asked, max(asked_at) as last_at,
      (array_agg(said order by asked_at desc))[1] as said
    from latest group by wording_hash
    having (array_agg(wanted order by asked_at desc))[1]
    order by asked desc, last_at desc, wording_hash limit ${most}`.execute(db)
  return rows
}
