import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { chatbotOf } from '../../access/chatbots'
import { registerRoute } from '../../access/register'
import * as contract from '../../contracts/unanswered'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb } from '../../platform/database/database'
import { readUnanswered, type UnansweredQuestion } from '../insights/analytics/readUnanswered'
import type { Knowledge, KnowledgePlace } from '../knowledge/knowledge'
import { groupQuestions } from './groupQuestions'

const DAY = 86_400_000
/** Wordings that are put into groups, and groups that are shown with their nearest passage. */
const MOST_WORDINGS = 400
const MOST_GROUPS = 40
/** Searches at a time: visitors' questions are searched by the same threads. */
const AT_ONCE = 3
/** Characters of a passage that are shown. */
const SHOWN = 280

/** Routes for what visitors asked in vain. @param count brings the questions up to date */
export function registerUnanswered(
  app: FastifyInstance,
  context: ServerContext,
  knowledge: Pick<Knowledge, 'find'>,
  count: (projectId: string) => Promise<unknown>,
): void {
  const { clock } = context

  registerRoute(app, context, contract.listUnanswered, async ({ caller, params, query }) => {
    const { db, project } = caller
    await count(project.id)
    const chatbot = await chatbotOf(db, project.id, params.cgid)
    const place = { projectId: project.id, chatbotId: chatbot.id }
    const since = new Date(clock().getTime() - contract.UNANSWERED_DAYS * DAY)
    const asked = await readUnanswered(db, place, since, { show: query.show, most: MOST_WORDINGS })
    const groups = groupQuestions(await withoutHandled(db, place, asked))
      .map((questions) => ({ questions, asked: questions.reduce((sum, each) => sum + each.asked, 0) }))
      .sort((one, other) => other.asked - one.asked || lastOf(other.questions) - lastOf(one.questions))
    const shown = groups.slice(0, MOST_GROUPS)
    const nearest = await nearestOf(
      knowledge,
      place,
      shown.map(({ questions }) => questions[0]?.question ?? ''),
    )
    return {
      groups: shown.map((group, at) => ({
        asked: group.asked,
        last_at: new Date(lastOf(group.questions)).toISOString(),
        questions: group.questions.map(({ wording, question, asked, last_at }) => ({
          ...{ wording, question, asked },
          last_at: last_at.toISOString(),
        })),
        said: latestOf(group.questions)?.said ?? null,
        nearest: nearest[at] ?? null,
      })),
      more: groups.length - shown.length,
      knowledge_of: await lenderOf(db, place, params.cgid),
    }
  })

  registerRoute(app, context, contract.handleUnanswered, async ({ caller, params, body }) => {
    const { db, project } = caller
    const { id: chatbotId } = await chatbotOf(db, project.id, params.cgid)
    const hashes = sql`(select distinct hashtextextended(wording, 0) from unnest(${body.wordings}::text[]) as wording)`
    if (body.handled)
      await sql`insert into handled_questions (project_id, chatbot_id, wording_hash, handled_at)
        select ${project.id}, ${chatbotId}, hash, ${clock()} from ${hashes} as given (hash)
        on conflict (chatbot_id, wording_hash) do update set handled_at = excluded.handled_at`.execute(db)
    else
      await db
        .deleteFrom('handled_questions')
        .where('chatbot_id', '=', chatbotId)
        .where('wording_hash', 'in', hashes as never)
        .execute()
    return {}
  })
}

const latestOf = (questions: readonly UnansweredQuestion[]): UnansweredQuestion | undefined =>
  questions.toSorted((one, other) => other.last_at.getTime() - one.last_at.getTime())[0]

const lastOf = (questions: readonly UnansweredQuestion[]): number =>
  Math.max(...questions.map(({ last_at }) => last_at.getTime()))

/** Leaves out what was dealt with and not asked since. */
async function withoutHandled(
  db: ProjectDb,
  { chatbotId }: KnowledgePlace,
  asked: readonly UnansweredQuestion[],
): Promise<UnansweredQuestion[]> {
  if (asked.length === 0) return []
  const rows = await db
    .selectFrom('handled_questions')
    .select(['wording_hash', 'handled_at'])
    .where('chatbot_id', '=', chatbotId)
    .where(
      'wording_hash',
      'in',
      asked.map(({ wording_hash }) => wording_hash),
    )
    .execute()
  const handled = new Map(rows.map(({ wording_hash, handled_at }) => [wording_hash, handled_at]))
  return asked.filter(({ wording_hash, last_at }) => last_at > (handled.get(wording_hash) ?? new Date(0)))
}

/** The passage nearest to each question, whether or not it answers. */
async function nearestOf(knowledge: Pick<Knowledge, 'find'>, place: KnowledgePlace, questions: readonly string[]) {
  const found: contract.UnansweredGroup['nearest'][] = []
  for (let at = 0; at < questions.length; at += AT_ONCE)
    found.push(
      ...(await Promise.all(
        questions.slice(at, at + AT_ONCE).map(async (question) => {
          const [passage] = (await knowledge.find(place, question, 1)).passages
          if (!passage) return null
          const { source, heading, text } = passage
          const own = source.kind === 'faq' ? (heading.split('\n')[0] ?? '') : heading
          return { source, heading: own, text: text.slice(0, SHOWN) }
        }),
      )),
    )
  return found
}

/** The chatbot whose knowledge base is used. */
async function lenderOf(db: ProjectDb, { chatbotId }: KnowledgePlace, own: string): Promise<string> {
  const lender = await db
    .selectFrom('chatbots as borrower')
    .innerJoin('chatbots as lender', 'lender.id', 'borrower.linked_kb_id')
    .select('lender.gid')
    .where('borrower.id', '=', chatbotId)
    .executeTakeFirst()
  return lender?.gid ?? own
}
