import { sql } from 'kysely'
import { agentMeasures } from '../../../server/modules/insights/agents/agentMeasures'
import { filters } from '../../../server/modules/insights/days/passes'
import { rollDays } from '../../../server/modules/insights/days/rollDays'
import { measures } from '../../../server/modules/insights/facts/measures'
import type { RootDb } from '../../../server/platform/database/database'
import type { PublishedFlow } from '../../support/publishedFlow'

const PEOPLE = 12

/**
 * The figures of a year: conversations that began evenly in it, in three languages, two environments and two channels,
 * by a third as many visitors, on 200 pages; a question each, of 20,000 wordings as frequent as words of a language are;
 * a lead of every tenth, credits of every second, an answer of one of twelve members in every fifth.
 */
export async function fillInsights(
  db: RootDb,
  { projectId, chatbotId }: PublishedFlow,
  conversations: number,
): Promise<void> {
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
    insert into insight_totals (project_id, chatbot_id, quarter, ${names})
    select project_id, chatbot_id, quarter, ${sums} from insight_rows where project_id = ${projectId} group by 1, 2, 3`.execute(
    db,
  )
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
