import { sql } from 'kysely'
import type { RootDb } from '../../../server/platform/database/database'
import type { PublishedFlow } from '../../support/publishedFlow'

export const CONVERSATIONS = 1_000
export const MESSAGES = 10
/** Texts that are told apart. */
const PHRASES = 100_000

/**
 * Gives each tenant conversations of the last three months, with messages of twelve words out of 20,000. The index of words is made
 * anew afterwards, as a restored backup's is.
 */
export async function fillTenants(db: RootDb, tenants: readonly PublishedFlow[]): Promise<void> {
  const { rows } = await sql<{ indexdef: string }>`
    select indexdef from pg_indexes where indexname = 'messages_words'`.execute(db)
  await sql`drop index messages_words`.execute(db)
  await sql`create table bench_phrases as
    select n, (select string_agg('w' || floor(exp(random() * ln(20000)))::int || 'a', ' ') from generate_series(1, 12 + n * 0)) as words
    from generate_series(0, ${PHRASES - 1}::int) n`.execute(db)
  await sql`alter table bench_phrases add primary key (n)`.execute(db)
  for (const { projectId, chatbotId } of tenants) {
    await sql`
      insert into conversations (gid, project_id, chatbot_id, environment, token_hash, start_client_id, visitor_hash,
        channel, language, status, last_seq, created_at, updated_at)
      select lpad(to_hex(n + ${projectId}::bigint * 1000000), 16, '0'), ${projectId}, ${chatbotId}, 'production', '\\x00',
        'filled-' || n, int4send(n), 'web', 'en', case when n % 20 < 19 then 'closed' else 'waiting' end, ${MESSAGES}::int, at, at
      from (select n, now() - n * interval '2 hours' as at from generate_series(1, ${CONVERSATIONS}::int) n) filled`.execute(
      db,
    )
    await sql`
      insert into messages (conversation_id, project_id, seq, author, content, words, created_at)
      select c.id, c.project_id, seq, 1 + seq % 2,
        '{"kind":"text","text":[{"type":"paragraph","children":[{"text":"What was said stands among the words beside it."}]}]}',
        phrases.words,
        c.created_at + seq * interval '6 seconds'
      from conversations c cross join generate_series(1, ${MESSAGES}::int) seq
        join bench_phrases phrases on phrases.n = (c.id * ${MESSAGES}::int + seq) * 7919 % ${PHRASES}::int
      where c.project_id = ${projectId} and c.start_client_id like 'filled-%'`.execute(db)
  }
  await sql`drop table bench_phrases`.execute(db)
  await sql.raw(rows[0]?.indexdef ?? '').execute(db)
  await sql`vacuum analyze`.execute(db)
}
