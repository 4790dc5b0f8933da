/** The schema that landed first. */
export const FIRST = '0005_foreign_keys'
export const CONVERSATIONS = 20_000
export const MESSAGES = 10

/** Fills the first schema: a project with conversations and their messages. */
export const firstRows = `
  insert into users (gid, email, first_name, last_name, password_hash, created_at)
    values ('${'u'.repeat(16)}', 'a@example.org', 'A', 'B', 'x', now());
  insert into projects (gid, name, created_at, updated_at) values ('${'p'.repeat(16)}', 'P', now(), now());
  insert into project_members values (1, 1, '{1}', true, now());
  insert into chatbots (gid, egid, project_id, name, slug, created_at, updated_at)
    values ('${'b'.repeat(16)}', '${'e'.repeat(16)}', 1, 'B', 'bot', now(), now());
  insert into flows (gid, project_id, chatbot_id, title, is_main) values ('${'f'.repeat(16)}', 1, 1, 'Bot', true);
  insert into flow_versions (project_id, flow_id, number, hash, flow)
    values (1, 1, 1, 'x', '{"version":1,"groups":[],"edges":[],"variables":[]}');
  update flows set published_version_id = 1;
  insert into conversations (gid, project_id, chatbot_id, flow_version_id, environment, state, session, start_client_id,
      turns, created_at, updated_at)
    select lpad(n::text, 16, 'c'), 1, 1, 1, 'production', 'ended', '{}', 'start-' || n, 1, now(), now()
    from generate_series(1, ${CONVERSATIONS}) n;
  insert into messages (conversation_id, project_id, seq, author, content, created_at)
    select c.id, 1, seq, 1 + seq % 2, '{"kind":"text","text":[{"type":"paragraph","children":[{"text":"Hello"}]}]}', now()
    from conversations c, generate_series(1, ${MESSAGES}) seq;
  update conversations set last_seq = ${MESSAGES}`
