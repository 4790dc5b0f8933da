import { sql } from 'kysely'
import type { Db } from '../../platform/database/database'

/** What is read of a conversation for the list; `last_…` of its newest message. */
export const entriesOf = (db: Db, projectId: string) =>
  db
    .selectFrom('conversations')
    .innerJoin('chatbots', 'chatbots.id', 'conversations.chatbot_id')
    .leftJoin('users', 'users.id', 'conversations.assignee_id')
    .leftJoin('teams', 'teams.id', 'conversations.team_id')
    .leftJoin('contacts', 'contacts.id', 'conversations.contact_id')
    .leftJoin('hand_offs', 'hand_offs.conversation_id', 'conversations.id')
    .leftJoin('survey_answers', (join) =>
      join
        .onRef('survey_answers.conversation_id', '=', 'conversations.id')
        // of the survey: a flow's questions may have asked for more
        .on('survey_answers.block_id', '=', ''),
    )
    .leftJoin('conversation_targets', 'conversation_targets.conversation_id', 'conversations.id')
    .leftJoin('messages', (join) =>
      join
        .onRef('messages.conversation_id', '=', 'conversations.id')
        .onRef('messages.seq', '=', 'conversations.last_seq'),
    )
    .select([
      'conversations.id',
      'conversations.gid',
      'conversations.status',
      'conversations.channel',
      'conversations.address',
      'conversations.environment',
      'conversations.language',
      'conversations.priority',
      'conversations.snoozed_until',
      'conversations.waiting_since',
      'conversations.team_unread',
      'conversations.updated_at',
      'chatbots.gid as chatbot_gid',
      'chatbots.name as chatbot_name',
      'chatbots.sample as is_sample',
      'users.gid as assignee_gid',
      'users.first_name as assignee_first',
      'users.last_name as assignee_last',
      'users.picture as assignee_picture',
      'teams.gid as team_gid',
      'teams.name as team_name',
      'contacts.name as contact_name',
      'contacts.email as contact_email',
      'hand_offs.email as hand_off_email',
      'survey_answers.rating',
      'conversation_targets.due_at',
      'conversation_targets.answered_at',
      'conversation_targets.answer_due_at',
      'messages.seq as last_seq',
      'messages.author as last_author',
      'messages.sender_id as last_sender',
      'messages.created_at as last_at',
    ])
    .select(sql<string | null>`left(messages.words, 200)`.as('last_words'))
    .select(({ selectFrom }) =>
      selectFrom('conversation_labels')
        .innerJoin('labels', 'labels.id', 'conversation_labels.label_id')
        .select(sql<string[]>`coalesce(array_agg(labels.gid order by lower(labels.name)), '{}')`.as('gids'))
        .whereRef('conversation_labels.conversation_id', '=', 'conversations.id')
        .as('labels'),
    )
    .where('conversations.project_id', '=', projectId)
