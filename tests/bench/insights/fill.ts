import { sql } from 'kysely'
import { emptyFlow, type Flow } from '../../../engine/flow/schema'
import { agentMeasures } from '../../../server/modules/insights/agents/agentMeasures'
import { filters } from '../../../server/modules/insights/days/passes'
import { rollDays } from '../../../server/modules/insights/days/rollDays'
import { measures } from '../../../server/modules/insights/facts/measures'
import type { RootDb } from '../../../server/platform/database/database'
import type { PublishedFlow } from '../../support/publishedFlow'

const PEOPLE = 12

/** So many groups of three blocks each has the flow of `benchFlow`. */
const GROUPS = 20

/** A flow of 60 blocks, as the funnel names them: it is never run. */
export function benchFlow(): Flow {
  const text = (id: string) => ({ id, kind: 'text', version: 0, data: {} })
  const groups = Array.from({ length: GROUPS }, (_, at) => ({
    ...{ id: `g${at}`, title: `Group ${at}`, position: { x: 0, y: 0 } },
    blocks: [0, 1, 2].map((block) => text(`b${at * 3 + block}`)),
  }))
  return { ...emptyFlow(), groups }
}

/**
 * The figures of a year: conversations that began evenly in it, in three languages, two environments and two channels,
 * by a third as many visitors, on 200 pages; a question each, of 20,000 wordings as frequent as words of a language are;
 * a lead of every tenth, credits of every second, an answer of one of twelve members in every fifth; and where visitors
 * came and were left, by day, environment and channel.
 */
export async function fillInsights(db: RootDb, flow: PublishedFlow, conversations: number): Promise<void> {
  const { projectId, chatbotId } = flow
  const seconds = (365 * 86_400) / conversations
  const [names, ones] = [sql.raw(measures.join(', ')), sql.raw(measures.map(() => '1').join(', '))]
  const sums = sql.raw(measures.map((name) => `sum(${name})`).join(', '))
  await sql`select setseed(0.5)`.execute(db)
  await sql`
    insert into conversations (gid, project_id, chatbot_id, environment, token_hash, start_client_id, visitor_hash, channel,
      language, status, created_at, updated_at)
    select lpad(to_hex(n), 16, '0'), ${projectId}, ${chatbotId}, case when n % 4 = 0 then 'sharing' else 'production' end,
      '\\x00', 'filled-' || n, sha256(int4send((random() * ${conversations / 3})::int)),
      case when n % 10 = 0 then 'whatsapp' else 'web' end, (array['en', 'de', 'pt-br'])[n % 3 + 1], 'closed',
      timestamptz '2026-01-01' + n * ${seconds}::float8 * interval '1 second', now()
    from generate_series(1, ${conversations}::int) as n`.execute(db)
  await sql`alter table conversation_facts disable trigger user`.execute(db)
  await sql`
    insert into conversation_facts (conversation_id, project_id, chatbot_id, environment, channel, language, quarter, visitor,
      page, started_at, ${names})
    select id, project_id, chatbot_id, environment, channel, language, date_bin('15 minutes', created_at, 'epoch'),
      visitor_hash, 'https://shop.example/page/' || id % 200, created_at, ${ones}
    from conversations where project_id = ${projectId}`.execute(db)
  await sql`
    insert into insight_rows (project_id, chatbot_id, environment, channel, language, quarter, ${names})
    select project_id, chatbot_id, environment, channel, language, quarter, ${sums}
    from conversation_facts where project_id = ${projectId} group by 1, 2, 3, 4, 5, 6`.execute(db)
  await sql`
    insert into insight_days (project_id, chatbot_id, environment, channel, language, day, ${names})
    select project_id, chatbot_id, environment, channel, language, date_bin('1 day', quarter, 'epoch'), ${sums}
    from insight_rows where project_id = ${projectId} group by 1, 2, 3, 4, 5, 6`.execute(db)
  await sql`alter table conversation_facts enable trigger user`.execute(db)
  await sql`
    insert into asked_questions (conversation_id, project_id, chatbot_id, environment, channel, started_at, position, question, wording,
      answered, sources, asked_at)
    select id, project_id, chatbot_id, environment, channel, created_at, 0, 'Where is order ' || word || '?', 'where is order ' || word,
      id % 5 <> 0, array['Source ' || id % 40], created_at
    from (select id, project_id, chatbot_id, environment, channel, created_at, floor(exp(random() * ln(20000)))::int as word
      from conversations where project_id = ${projectId}) as asked`.execute(db)
  await sql`
    insert into leads (gid, project_id, chatbot_id, conversation_id, environment, channel, source, name, email, phone, answers,
      created_at, updated_at)
    select lpad(to_hex(id), 16, 'e'), project_id, chatbot_id, id, environment, channel, 'form', 'Person', '', '', '[]', created_at, now()
    from conversations where project_id = ${projectId} and id % 10 = 0`.execute(db)
  await sql`
    insert into credit_uses (project_id, credit, key, amount, used_at, chatbot_id)
    select project_id, 'ai_message_credits', 'filled-' || id, 1, created_at, chatbot_id
    from conversations where project_id = ${projectId} and id % 2 = 0`.execute(db)
  await fillAgents(db, projectId)
  await fillVisits(db, flow)
  await sql`vacuum analyze`.execute(db)
  // triggers have told of the days of the questions
  const from = performance.now()
  for (let left = 1; left > 0; left = await countChanges(db))
    await rollDays({ db, clock: () => new Date('2027-01-02T00:00:00Z') })
  console.info(`days rolled up in ${((performance.now() - from) / 1_000).toFixed(0)} s`)
  await sql`vacuum analyze`.execute(db)
}

async function countChanges(db: RootDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from insight_changes`.execute(db)
  return rows[0]?.count ?? 0
}

async function fillAgents(db: RootDb, projectId: string): Promise<void> {
  await sql`
    insert into users (gid, email, first_name, last_name, password_hash, created_at)
    select lpad(n::text, 16, 'p'), 'person' || n || '@example.com', 'Person', n::text, 'x', now()
    from generate_series(1, ${PEOPLE}::int) as n`.execute(db)
  const [names, ones] = [sql.raw(agentMeasures.join(', ')), sql.raw(agentMeasures.map(() => '1').join(', '))]
  await sql`
    insert into agent_facts (conversation_id, project_id, chatbot_id, environment, channel, quarter, user_id, ${names})
    select f.conversation_id, f.project_id, f.chatbot_id, f.environment, f.channel, f.quarter, u.id, ${ones}
    from conversation_facts f join (select id, row_number() over (order by id) as n from users where gid like 'p%') u
      on u.n = f.conversation_id / 5 % ${PEOPLE} + 1
    where f.project_id = ${projectId} and f.conversation_id % 5 = 0`.execute(db)
  await sql`
    insert into agent_rows (project_id, chatbot_id, environment, channel, quarter, user_id, ${names})
    select project_id, chatbot_id, environment, channel, quarter, user_id, ${sql.raw(agentMeasures.map((name) => `sum(${name})`).join(', '))}
    from agent_facts where project_id = ${projectId} group by 1, 2, 3, 4, 5, 6`.execute(db)
  await sql`
    insert into agent_days (project_id, chatbot_id, environment, channel, day, user_id, ${names})
    select project_id, chatbot_id, environment, channel, date_bin('1 day', quarter, 'epoch'), user_id,
      ${sql.raw(agentMeasures.map((name) => `sum(${name})`).join(', '))}
    from agent_rows where project_id = ${projectId} group by 1, 2, 3, 4, 5, 6`.execute(db)
  await sql`
    insert into agent_hours (project_id, chatbot_id, environment, channel, month, user_id, slot, sent)
    select project_id, chatbot_id, filter.environment, filter.channel, date_trunc('month', quarter, 'UTC'), user_id,
      extract(epoch from quarter)::bigint / 900 % 96, sum(sent)
    from agent_rows as rows cross join lateral ${filters('rows')}
    where project_id = ${projectId} group by 1, 2, 3, 4, 5, 6, 7`.execute(db)
}

/** Each block, group and 40 edges of each day; the last block of a conversation with one of three numbers of replies. */
async function fillVisits(db: RootDb, { projectId, chatbotId, versionId }: PublishedFlow): Promise<void> {
  const blocks = GROUPS * 3
  const days = sql`generate_series(date '2026-01-01', '2026-12-31', '1 day') as day,
    unnest(array['production', 'sharing']) as environment, unnest(array['web', 'whatsapp']) as channel`
  await sql`
    insert into place_visits (project_id, chatbot_id, flow_version_id, environment, channel, day, flow, kind, place,
      conversations, visits)
    select ${projectId}, ${chatbotId}, ${versionId}, environment, channel, day, '', kind, place, 20, 25
    from ${days}, (
      select 'group' as kind, 'g' || n as place from generate_series(0, ${GROUPS - 1}::int) as n
      union all select 'block', 'b' || n from generate_series(0, ${blocks - 1}::int) as n
      union all select 'edge', 'b' || n || '/next' from generate_series(0, 39) as n) as places`.execute(db)
  await sql`
    insert into visit_counts (project_id, chatbot_id, flow_version_id, environment, channel, day, status, flow, group_id,
      block_id, replies, conversations)
    select ${projectId}, ${chatbotId}, ${versionId}, environment, channel, day, 'left', '', 'g' || n / 3, 'b' || n, replies, 4
    from ${days}, generate_series(0, ${blocks - 1}::int) as n, generate_series(1, 3) as replies`.execute(db)
}
