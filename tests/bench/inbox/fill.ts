import { sql } from 'kysely'
import type { RootDb } from '../../../server/platform/database/database'
import type { PublishedFlow } from '../../support/publishedFlow'

interface Filling extends PublishedFlow {
  /** who has some of them */
  userId: string
  conversations: number
}

const MESSAGES = 10
const LONGEST = 5_000

/**
 * Conversations of ten messages, a minute apart, and one of 5,000. A message has twelve words of 20,000 as frequent as words of
 * a language are: the n-th, `w<n>a`, 1/n times as often as the first. The oldest tenth has words of its own, `old1a` and `old2a`.
 */
export async function fillInbox(db: RootDb, { projectId, chatbotId, userId, conversations }: Filling): Promise<void> {
  // the same words each time
  await sql`select setseed(0.5)`.execute(db)
  await sql`drop index messages_words`.execute(db)
  await sql`
    insert into conversations (gid, project_id, chatbot_id, environment, token_hash, start_client_id, visitor_hash, channel,
      language, status, assignee_id, team_unread, waiting_since, snoozed_until, last_seq, created_at, updated_at)
    select lpad(to_hex(n), 16, '0'), ${projectId}, ${chatbotId}, case when n % 4 = 0 then 'sharing' else 'production' end,
      '\\x00', 'filled-' || n, int4send(n % 50000), 'web', (array['en', 'de', 'pt-br'])[n % 3 + 1],
      case when n % 20 < 12 then 'closed' when n % 20 < 17 then 'bot' when n % 20 < 19 then 'person' else 'waiting' end,
      case when n % 20 in (17, 18) and n % 7 = 0 then ${userId}::bigint end, n % 3,
      case when n % 20 = 19 then now() - (${conversations} - n) * interval '1 minute' end,
      case when n % 200 = 13 then now() + interval '1 day' end, ${MESSAGES},
      now() - (${conversations} - n + 10) * interval '1 minute', now() - (${conversations} - n) * interval '1 minute'
    from generate_series(1, ${conversations}::integer) n`.execute(db)
  await sql`
    insert into messages (conversation_id, project_id, seq, author, content, words, created_at)
    select c.id, c.project_id, seq, 1 + seq % 2, '{"kind":"text","text":[{"type":"paragraph","children":[{"text":"Hello"}]}]}',
      (select string_agg('w' || floor(exp(random() * ln(20000)))::int || 'a', ' ') from generate_series(1, 12 + seq * 0 + (c.id * 0)::int))
        || case when c.created_at < (select min(created_at) + (max(created_at) - min(created_at)) / 10 from conversations)
          then case when random() < 0.05 then ' old1a' else '' end || case when random() < 0.05 then ' old2a' else '' end else '' end,
      c.created_at + seq * interval '6 seconds'
    from conversations c, generate_series(1, ${MESSAGES}::integer) seq where c.project_id = ${projectId}`.execute(db)
  await sql`
    with longest as (update conversations set last_seq = ${LONGEST} where project_id = ${projectId}
      and id = (select min(id) from conversations where project_id = ${projectId}) returning id, project_id, created_at)
    insert into messages (conversation_id, project_id, seq, author, content, words, created_at)
    select id, project_id, seq, 1 + seq % 2, '{"kind":"text","text":[]}', 'w1a w2a', created_at
    from longest, generate_series(${MESSAGES + 1}::integer, ${LONGEST}::integer) seq`.execute(db)
  await sql`create index messages_words on messages
    using gin (to_tsvector('simple', 'parley' || project_id::text || 'project ' || searched_words(words)))
    with (gin_pending_list_limit = 512)`.execute(db)
  await sql`
    insert into labels (gid, project_id, name, color, created_at)
    select lpad(n::text, 16, 'l'), ${projectId}, 'Label ' || n, 'red', now() from generate_series(1, 20) n`.execute(db)
  await sql`
    insert into conversation_labels (conversation_id, project_id, label_id)
    select c.id, c.project_id, l.id from conversations c join labels l on l.project_id = c.project_id
    where c.project_id = ${projectId} and (c.id + l.id) % 25 = 0`.execute(db)
  await sql`vacuum analyze`.execute(db)
}
