/** What becomes of a table's rows when a person is exported and erased. */
export interface Handling {
  /** in the document of all that is known of the person */
  exported: boolean
  erased: boolean
  /** why it is not exported, or not erased */
  why?: string
}

const all: Handling = { exported: true, erased: true }
const notShown = (why: string): Handling => ({ exported: false, erased: true, why })
const kept = (why: string): Handling => ({ exported: false, erased: false, why })

const copy = 'says what messages and answers say, once more'
const team = 'of the team, not of visitors'
const setUp = 'how the project is set up'
const figures = 'figures: they name nobody'

/** Each table of the database, and why. person.test.ts compares it with the database: a new table has to be named. */
export const personalData: Readonly<Record<string, Handling>> = {
  contacts: all,
  conversations: all,
  messages: all,
  leads: all,
  flow_results: all,
  survey_answers: all,
  consents: all,
  page_visits: all,
  hand_offs: all,
  sent_files: all,
  asked_questions: all,
  conversation_notes: all,
  mails: all,
  inbound_mails: all,
  contact_merges: all,
  bookings: all,
  whatsapp_people: all,
  runs: notShown(copy),
  turn_records: notShown(copy),
  effects: notShown(copy),
  contact_calls: notShown(copy),
  message_translations: notShown(copy),
  webhook_messages: notShown(copy),
  audit_entries: kept('what members did, for who audits it: visitors by ids alone'),
  audit_changes: kept('settings that changed, until the log takes them: a day at most'),
  operator_actions: kept('what who runs the installation did, for who audits it'),
  api_calls: kept('answers that programs were given, deleted after a day'),
  webhook_attempts: notShown(copy),
  corrected_messages: notShown(team),
  conversation_targets: notShown(team),
  mail_threads: notShown('hashes of the links in mails, and which messages were mailed'),
  deliveries: notShown('whether messages arrived'),
  whatsapp_webhooks: notShown(copy),
  whatsapp_inbound: notShown(copy),
  whatsapp_sends: notShown('whether messages arrived'),
  whatsapp_continuations: notShown('hashes of links, which of them were used, and by which message'),
  whatsapp_broadcast_people: notShown('which messages were sent, which are shown'),
  participants: notShown(team),
  agent_acts: notShown(team),
  agent_facts: notShown(team),
  agent_rows: kept(team),
  agent_days: kept(team),
  agent_hours: kept(team),
  agent_action_uses: notShown('which actions were used, without what was said'),
  conversation_labels: notShown(team),
  conversation_activity: notShown(team),
  conversation_merges: notShown(team),
  note_mentions: notShown(team),
  notifications: notShown(team),
  conversation_facts: notShown(figures),
  run_visits: notShown(figures),
  run_places: notShown(figures),
  insight_pending: kept('ids of conversations that are to be counted: those that are gone are forgotten'),
  blocked_visitors: kept('a hash that keeps away who was blocked; it names nobody'),
  mail_refusals: kept('a hash of an address that wants no mails; it names nobody'),
  contact_imports: kept('a file of the team, deleted after 7 days'),
  contact_import_parts: kept('a file of the team, deleted when it is imported, or after 7 days'),
  contact_import_lines: kept('a file of the team, deleted after 7 days'),
  webhook_triggers: kept('what another program sent last, for the team: deleted after 7 days'),
  exports: kept('files of the team, deleted after 7 days'),
  export_parts: kept('files of the team, deleted after 7 days'),
  recordings: kept('tests that the team wrote or kept on purpose: deleted by hand'),
  evaluation_questions: kept('questions that the team wrote or kept on purpose: deleted by hand'),
  evaluation_results: kept('answers of the agent to those'),
  evaluation_runs: kept('answers of the agent to those'),
  files: kept('bytes by their hash: swept when nothing names them'),
  uploads: kept('bytes that were not sent: swept within hours'),
  events: kept('ids alone, without what was said'),
  event_consumers: kept('ids alone'),
  event_failures: kept('ids alone'),
  erasures: kept('who was erased, by the id of a contact that is gone'),
  vendor_writes: kept('hashes of calls and numbers of rows, without what was said; forgotten after 30 days'),
  jobs: kept('ids of what is to be done; done with within days'),
  insight_rows: kept(figures),
  insight_days: kept(figures),
  insight_courses: kept(figures),
  insight_changes: kept(figures),
  insight_rolled: kept(figures),
  insight_visitors: kept(figures),
  insight_credits: kept(figures),
  asked_wordings: kept('how often wordings were asked, by numbers that stand for them: they go with the questions'),
  handled_questions: kept('numbers that stand for wordings which an editor has dealt with'),
  insight_names: kept(
    'addresses of pages without their query, and titles of sources: counted anew without what was erased',
  ),
  place_visits: kept(figures),
  turn_paths: kept(figures),
  visit_counts: kept(figures),
  place_months: kept(figures),
  visit_months: kept(figures),
  ...named(kept(team), [
    ...[
      'users',
      'user_pictures',
      'sessions',
      'user_settings',
      'project_members',
      'invitations',
      'password_resets',
      'registrations',
    ],
    ...['two_factors', 'recovery_codes', 'begun_logins'],
    ...['email_changes', 'known_devices', 'notification_settings', 'push_subscriptions', 'team_members', 'teams'],
    ...['comment_threads', 'comments', 'comment_reads', 'api_keys', 'credit_uses', 'credit_months'],
    ...[
      'credit_reservations',
      'subscriptions',
      'stripe_events',
      'retention_rules',
      'retention_runs',
      'labels',
      'saved_replies',
      'inbox_views',
    ],
    ...['weekly_mails', 'weekly_mail_guests'],
  ]),
  ...named(kept(setUp), [
    ...['installation', 'projects', 'chatbots', 'flows', 'flow_updates', 'flow_snapshots', 'flow_versions'],
    ...[
      'crawls',
      'crawl_pages',
      'knowledge_feeds',
      'knowledge_sources',
      'knowledge_chunks',
      'ai_connections',
      'ai_connection_models',
      'local_models',
    ],
    ...['instruction_versions', 'agent_actions', 'tool_servers', 'project_secrets', 'custom_domains'],
    ...['acme_challenges', 'acme_accounts', 'web_chats', 'identity_secrets', 'contact_fields', 'contact_segments'],
    ...['inbox_settings', 'mail_inboxes', 'webhook_endpoints', 'connections', 'oauth_states', 'vendor_choices'],
    ...['whatsapp_connections', 'whatsapp_templates', 'whatsapp_broadcasts', 'calendly_hooks', 'message_api_channels'],
    ...['push_keys', 'schema_migrations'],
  ]),
}

function named(handling: Handling, tables: readonly string[]): Record<string, Handling> {
  return Object.fromEntries(tables.map((table) => [table, handling]))
}
