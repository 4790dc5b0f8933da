import { z } from 'zod'
import { caps, tooLong } from '../../engine/values/caps'
import { widgetLanguages } from '../../engine/values/languages'
import { channelTemplateSchema, filledTemplateSchema } from './channelTemplates'
import { chatMessageSchema, clientMessageId, fileBody, fileName, SENT_FILE_CAP, sentFileAnswer, sequence } from './chat'
import { deliverySchema } from './conversations'
import { offeredSchema } from './offered'
import { officeSchema } from './office'
import { pictureSchema } from './pictures'
import { defineRoute, gid, ok } from './route'
import { surveyAnswerSchema } from './surveyAnswers'

/** Conversations of a page of the list, and messages of a page of a conversation. */
export const CONVERSATIONS_A_PAGE = 40
export const MESSAGES_A_PAGE = 50
/** Most conversations that one call changes. */
export const MOST_CHANGED = 100
/** A count of the list's views is exact up to this; above it there are more. */
export const MOST_COUNTED = 999
/** Longest time that a conversation may be snoozed: a year. */
export const LONGEST_SNOOZE_DAYS = 366
export const SEARCH_CAP = 200
export const NOTE_CAP = 5_000
/** Most files of an answer. */
export const FILES_A_REPLY = 10
export const LABEL_CAP = 50
export const SHORTCUT_CAP = 50
export const TEAM_CAP = 75
/** Most labels, teams and saved replies of a project. */
export const MOST_LABELS = 200
export const MOST_TEAMS = 100
export const MOST_SAVED_REPLIES = 1_000

/** What the list shows: `mine` to `due` are open and not snoozed; `due`, the most urgent first. */
export const inboxViews = [
  'mine',
  'unassigned',
  'waiting',
  'mentions',
  'bot',
  'all',
  'due',
  'snoozed',
  'closed',
] as const
export type InboxView = (typeof inboxViews)[number]
export const conversationStatuses = ['bot', 'waiting', 'person', 'closed'] as const
export const priorities = [0, 1, 2, 3] as const
const prioritySchema = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])
export const labelColours = ['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet', 'pink'] as const

const inProject = z.strictObject({ pgid: gid })
const inConversation = z.strictObject({ pgid: gid, conversation: gid })
const person = z.strictObject({ gid, name: z.string(), picture: pictureSchema })
export type InboxPerson = z.infer<typeof person>

export const inboxEntrySchema = z.strictObject({
  gid,
  /** `sample`: of the project's sample, in which nobody waits */
  chatbot: z.strictObject({ gid, name: z.string(), sample: z.boolean() }),
  /** the visitor's name or address; null: nothing is known */
  visitor: z.string().nullable(),
  status: z.enum(conversationStatuses),
  channel: z.string(),
  environment: z.enum(['production', 'sharing', 'playground', 'editor']),
  language: z.string().nullable(),
  assignee: person.nullable(),
  team: z.strictObject({ gid, name: z.string() }).nullable(),
  priority: prioritySchema,
  snoozed_until: z.string().nullable(),
  waiting_since: z.string().nullable(),
  /** what people are to do next, by when; null: no target is set, or it is met */
  due: z.strictObject({ what: z.enum(['answer', 'resolution']), at: z.string() }).nullable(),
  labels: z.array(gid),
  /** messages of the visitor that nobody has read */
  unread: z.int(),
  rating: z.int().nullable(),
  /** the newest message; with a search, the newest that was found */
  last: z
    .strictObject({
      seq: z.int(),
      text: z.string(),
      by: z.enum(['visitor', 'bot', 'person']),
      at: z.string(),
    })
    .nullable(),
  updated_at: z.string(),
})
export type InboxEntry = z.infer<typeof inboxEntrySchema>

/** What restricts the list and its counts, beside the view. */
const scope = {
  /** one chatbot's conversations; left out: the project's */
  chatbot: gid.optional(),
}
const moment = z.iso.datetime()
export const inboxFilters = z.strictObject({
  ...scope,
  label: gid.optional(),
  team: gid.optional(),
  channel: z.string().max(50).optional(),
  language: z.string().max(35).optional(),
  rating: z.coerce.number().int().min(1).max(5).optional(),
  environment: z.enum(['production', 'sharing']).optional(),
  /** begun then or later, and before */
  since: moment.optional(),
  until: moment.optional(),
})
export type InboxFilters = z.infer<typeof inboxFilters>

/** The place of a message in the order of all: millionths of a second, its conversation, its number there. */
export const messagePlace = /^(\d{1,16})\.([a-z0-9]{16})\.(\d{1,9})$/

/**
 * Conversations of one view, the newest first (`due`: by what is due next), or those that a search finds. The previous
 * page's `next` is `after` of a view, and `before` of a search, whose pages may be empty and go on nevertheless.
 */
export const listInbox = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/inbox',
  access: { feature: 'conversations.view' },
  params: inProject,
  query: inboxFilters.extend({
    view: z.enum(inboxViews),
    /** words of messages; the last one may be a beginning */
    search: z.string().trim().max(SEARCH_CAP, tooLong(SEARCH_CAP)).optional(),
    after: z
      .string()
      .regex(/^\d{13}\.[a-z0-9]{16}$/)
      .optional(),
    before: z.string().regex(messagePlace).optional(),
  }),
  answer: z.strictObject({ conversations: z.array(inboxEntrySchema), next: z.string().nullable() }),
})

const counted = z.record(gid, z.int())
/** How many conversations there are, up to `MOST_COUNTED` + 1. */
export const countInbox = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/inbox/counts',
  access: { feature: 'conversations.view' },
  params: inProject,
  query: z.strictObject(scope),
  answer: z.strictObject({
    counts: z.record(z.enum(inboxViews), z.int()),
    /** open ones of each team */
    teams: counted,
    /** of the views that the caller sees by a name; not of closed ones, which may be very many */
    kept: counted,
  }),
})

/** The merged conversation in which something stands; absent: in the one that is read. */
const of = gid.optional()
const inboxMessage = chatMessageSchema.omit({ id: true }).extend({
  of,
  /** the member who wrote it */
  sender: person.optional(),
  block: z.string().optional(),
  /** of the bot's: a source says it right by now; null: that source was deleted */
  corrected: z.strictObject({ by: z.string(), source: z.strictObject({ gid, chatbot: gid }).nullable() }).optional(),
  /** on a channel with delivery */
  delivery: deliverySchema.optional(),
  /** the emoji by which the visitor reacted to it */
  reaction: z.string().optional(),
})
export type InboxMessage = z.infer<typeof inboxMessage>
const noteSchema = z.strictObject({
  gid,
  of,
  by: z.string(),
  /** of who wrote it */
  picture: pictureSchema,
  /** with mentions as `<@gid>` */
  body: z.string(),
  /** the number of the message that it stands behind */
  after: z.int(),
  at: z.string(),
})
export type InboxNote = z.infer<typeof noteSchema>
const activitySchema = z.strictObject({
  id: z.string(),
  of,
  kind: z.enum([
    'handed_over',
    'assigned',
    'given_back',
    'closed',
    'reopened',
    'unassigned',
    'team',
    'snoozed',
    'woken',
    'priority',
    'blocked',
    'unblocked',
    'merged',
    'separated',
    'continued_on_whatsapp',
    'continued_from_web',
    'continued_on_web',
    'continued_from_whatsapp',
    'continued_apart',
    'unsupported',
    'number_changed',
    'identity_changed',
    'file_missing',
    'file_too_large',
    'file_refused',
    'booked',
    'booking_moved',
    'booking_canceled',
  ]),
  by: z.string().nullable(),
  subject: z.string().nullable(),
  detail: z.string().nullable(),
  after: z.int(),
  at: z.string(),
})
export type InboxActivity = z.infer<typeof activitySchema>
const turnSchema = z.strictObject({
  of,
  run: z.int(),
  turn: z.int(),
  /** the number of its last message */
  last: z.int(),
  took: z.int().nullable(),
  /** what the visitor could choose from or fill in after it */
  offered: offeredSchema.optional(),
  steps: z.array(z.strictObject({ block: z.string(), kind: z.string(), port: z.string().nullable() })),
})
export type InboxTurn = z.infer<typeof turnSchema>
/** Messages in their order, and what stands between them. */
export const threadPageSchema = z.strictObject({
  messages: z.array(inboxMessage),
  notes: z.array(noteSchema),
  activity: z.array(activitySchema),
  turns: z.array(turnSchema),
  /** there are messages before the first one */
  earlier: z.boolean(),
})
export type ThreadPage = z.infer<typeof threadPageSchema>

export const inboxConversationSchema = inboxEntrySchema.extend({
  started_at: z.string(),
  /** messages of our side that the visitor has not read */
  visitor_unread: z.int(),
  /** the visitor may not write any more */
  blocked: z.boolean(),
  /** the visitor can be told apart from others, and so blocked */
  blockable: z.boolean(),
  /** most characters of an answer on its channel */
  text_cap: z.int(),
  /** until when its channel takes answers, unless the visitor writes again; null: for ever */
  window_ends: z.string().nullable(),
  contact: z
    .strictObject({ name: z.string().nullable(), email: z.string().nullable(), phone: z.string().nullable() })
    .nullable(),
  hand_off: z
    .strictObject({ at: z.string(), team: z.string(), note: z.string(), email: z.string().nullable() })
    .nullable(),
  survey: surveyAnswerSchema.nullable(),
  participants: z.array(person),
  /** other conversations of the same visitor with the chatbot, the newest first */
  others: z.array(z.strictObject({ gid, at: z.string(), status: z.enum(conversationStatuses) })),
  /** the one that it was merged into, where it is read and answered; null: none */
  merged_into: gid.nullable(),
  /** those that were merged into it, the oldest first; `undo_until`: when that can't be undone any more */
  merged: z.array(z.strictObject({ gid, at: z.string(), channel: z.string(), undo_until: z.string() })),
})
export type InboxConversation = z.infer<typeof inboxConversationSchema>

export const readInboxConversation = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/inbox/conversations/:conversation',
  access: { feature: 'conversations.view' },
  params: inConversation,
  answer: z.strictObject({ conversation: inboxConversationSchema }),
})
/** The newest messages of a conversation, with those that were merged into it, or those before one of them. */
export const readThread = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/inbox/conversations/:conversation/thread',
  access: { feature: 'conversations.view' },
  params: inConversation,
  query: z.strictObject({ before: sequence.optional(), of }),
  answer: threadPageSchema,
})

/** How one of the bot's messages came about: the block, its turn's steps, calls and variables. */
export const debugMessage = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/inbox/conversations/:conversation/messages/:seq/debug',
  access: { feature: 'conversations.view' },
  params: inConversation.extend({ seq: sequence }),
  answer: z.strictObject({
    block: z
      .strictObject({
        ...{ flow: gid.nullable(), id: z.string(), kind: z.string() },
        /** what its group is called; null: the version has it no more */
        group: z.string().nullable(),
      })
      .nullable(),
    run: z.int(),
    turn: z.int(),
    took: z.int().nullable(),
    variables: z.array(z.strictObject({ name: z.string(), value: z.json() })),
    calls: z.array(z.strictObject({ service: z.string(), request: z.json(), result: z.json() })),
    notes: z.array(z.string()),
    /** what the visitor had said last, and what the bot said; null: nothing */
    question: z.string().nullable(),
    text: z.string().nullable(),
    /** a model or the sources wrote it: what is wrong in it can be corrected there */
    from_sources: z.boolean(),
  }),
})

/** Marks an answer of the bot as corrected: the source says it right. */
export const correctMessage = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/inbox/conversations/:conversation/messages/:seq/correction',
  access: { feature: 'conversations.update' },
  params: inConversation.extend({ seq: sequence }),
  body: z.strictObject({ source: gid }),
  answer: ok,
})

/** The model that translates messages for members; null: none is connected. */
export const readThreadTranslator = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/inbox/conversations/:conversation/translator',
  access: { feature: 'conversations.reply' },
  params: inConversation,
  answer: z.strictObject({ model: z.strictObject({ name: z.string(), credits: z.number() }).nullable() }),
})
/**
 * Messages in the reader's language, by the chatbot's model: one request, charged as one reply; what was translated
 * before costs nothing. Null: the model gave no translation. What does not go into one request is left out.
 */
export const translateThread = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/inbox/conversations/:conversation/translations',
  access: { feature: 'conversations.reply' },
  load: 'turn',
  limit: { by: 'user', most: 120 },
  params: inConversation,
  body: z.strictObject({
    language: z.enum(widgetLanguages.map(({ code }) => code)),
    seqs: z.array(z.int().min(1).max(2_000_000_000)).min(1, 'Choose a message').max(MESSAGES_A_PAGE),
  }),
  answer: z.strictObject({
    messages: z.array(z.strictObject({ seq: z.int(), text: z.string().nullable() })),
    credits: z.number(),
  }),
})

/** What changes in a conversation; what is left out stays. */
export const conversationChange = z.strictObject({
  /** `person`: the caller takes it over; `bot`: it is given back; `open`: a closed one is reopened */
  status: z.enum(['person', 'bot', 'closed', 'open']).optional(),
  /** who has it; null: nobody */
  assignee: gid.nullable().optional(),
  team: gid.nullable().optional(),
  priority: prioritySchema.optional(),
  /** null: wakes it */
  snoozed_until: moment.nullable().optional(),
  add_labels: z.array(gid).max(20).optional(),
  remove_labels: z.array(gid).max(20).optional(),
  /** whether its visitor may not write any more */
  blocked: z.boolean().optional(),
})
export type ConversationChange = z.infer<typeof conversationChange>

/** Changes conversations, each in a transaction of its own: one that fails says why, and holds up no other. */
export const changeConversations = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/inbox/changes',
  access: { feature: 'conversations.update' },
  params: inProject,
  body: z.strictObject({
    conversations: z.array(gid).min(1, 'Choose a conversation').max(MOST_CHANGED),
    change: conversationChange,
  }),
  answer: z.strictObject({ failed: z.array(z.strictObject({ conversation: gid, reason: z.string() })) }),
})

/**
 * Says something to the visitor, in Markdown, and sends files; the bot stops. 409 `conversation_closed`, unless
 * `reopen`; 409 `colleague_answered` when a colleague said something after message `seen`, unless `anyway`.
 */
export const replyToVisitor = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/inbox/conversations/:conversation/replies',
  access: { feature: 'conversations.reply' },
  params: inConversation,
  body: z
    .strictObject({
      client_id: clientMessageId,
      text: z.string().trim().max(caps.userMessage, tooLong(caps.userMessage)),
      /** ids of files that were sent before, in their order */
      file_ids: z.array(gid).max(FILES_A_REPLY, `At most ${FILES_A_REPLY} files can be sent`).default([]),
      /** the number of the last message that the caller has seen */
      seen: z.int().min(0).max(2_000_000_000),
      anyway: z.boolean().default(false),
      reopen: z.boolean().default(false),
      /** closes the conversation with it */
      close: z.boolean().default(false),
      /** a message that the channel has approved, in place of a text */
      template: filledTemplateSchema.optional(),
    })
    .refine(({ text, file_ids, template }) => text !== '' || file_ids.length > 0 || template !== undefined, {
      path: ['text'],
      error: 'Enter a message',
    }),
  answer: z.strictObject({ seq: z.int() }),
})
/** What the conversation's channel takes when it takes no answers any more; none where it takes answers always. */
export const listReplyTemplates = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/inbox/conversations/:conversation/templates',
  access: { feature: 'conversations.reply' },
  params: inConversation,
  answer: z.strictObject({ templates: z.array(channelTemplateSchema) }),
})
/** Uploads a file for an answer, which then names it by its id. */
export const sendReplyFile = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/inbox/conversations/:conversation/files',
  access: { feature: 'conversations.reply' },
  params: inConversation,
  limit: { by: 'user', most: 120 },
  query: z.strictObject({ name: fileName }),
  body: fileBody,
  bodyLimit: SENT_FILE_CAP,
  answer: sentFileAnswer,
})
/** Writes a note for colleagues, with mentions as `<@gid>`. */
export const addNote = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/inbox/conversations/:conversation/notes',
  access: { feature: 'conversations.update' },
  params: inConversation,
  body: z.strictObject({
    client_id: clientMessageId,
    body: z.string().trim().min(1, 'Enter a note').max(NOTE_CAP, tooLong(NOTE_CAP)),
  }),
  answer: ok,
})
/** Marks the visitor's messages as read. */
export const seeConversation = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/inbox/conversations/:conversation/seen',
  access: { feature: 'conversations.view' },
  params: inConversation,
  answer: ok,
})
/** Tells colleagues, and the visitor, who is looking at a conversation and who writes. Not stored. */
export const showPresence = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/inbox/conversations/:conversation/presence',
  access: { feature: 'conversations.view' },
  params: inConversation,
  limit: { by: 'user', most: 120 },
  body: z.strictObject({ state: z.enum(['looking', 'typing', 'left']) }),
  answer: ok,
})
/** What the chatbot's sources say to the visitor's last message. */
export const suggestReply = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/inbox/conversations/:conversation/suggestion',
  access: { feature: 'conversations.reply' },
  params: inConversation,
  answer: z.strictObject({
    /** the sources' own sentences; null: they don't answer it */
    text: z.string().nullable(),
    sources: z.array(z.strictObject({ title: z.string(), url: z.string().nullable(), text: z.string() })),
  }),
})

/**
 * Server-sent events of a project's inbox: `changed` with the conversations that have changed, `presence` with who
 * looks at one. The rows are read by the other routes; who connects again reads all anew.
 */
export const inboxEvents = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/inbox/events',
  access: { feature: 'conversations.view' },
  params: inProject,
  /** made by the page: a stream takes the place of the one before of the same tab */
  query: z.strictObject({ tab: clientMessageId }),
  answer: z.unknown(),
})
/** Data of the stream's event `presence`. */
export interface Presence {
  conversation: string
  /** a member; null: the visitor */
  person: InboxPerson | null
  state: 'looking' | 'typing' | 'left'
}

const labelSchema = z.strictObject({ gid, name: z.string(), colour: z.enum(labelColours) })
export type InboxLabel = z.infer<typeof labelSchema>
const teamSchema = z.strictObject({
  gid,
  name: z.string(),
  assignment: z.enum(['manual', 'round_robin', 'least_busy']),
  members: z.array(gid),
  office: officeSchema,
})
export type InboxTeam = z.infer<typeof teamSchema>
const savedReplySchema = z.strictObject({ gid, shortcut: z.string(), body: z.string() })
export type SavedReply = z.infer<typeof savedReplySchema>

/** What all conversations of a project have in common: who answers, in which teams, labels, saved replies. */
export const readInboxSetup = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/inbox/setup',
  access: { feature: 'conversations.view' },
  params: inProject,
  answer: z.strictObject({
    me: gid,
    members: z.array(person.extend({ away: z.boolean() })),
    chatbots: z.array(z.strictObject({ gid, name: z.string() })),
    labels: z.array(labelSchema),
    teams: z.array(teamSchema),
    saved_replies: z.array(savedReplySchema),
    /** the project's own; teams may differ */
    office: officeSchema,
  }),
})
export type InboxSetup = z.infer<(typeof readInboxSetup)['answer']>

const text = (most: number, wanted: string) => z.string().trim().min(1, wanted).max(most, tooLong(most))
const ofLabel = z.strictObject({ name: text(LABEL_CAP, 'Enter a name'), colour: z.enum(labelColours) })
const ofTeam = z.strictObject({
  name: text(TEAM_CAP, 'Enter a name'),
  assignment: z.enum(['manual', 'round_robin', 'least_busy']),
  members: z.array(gid).min(1, 'Choose a member').max(500),
})
const ofSavedReply = z.strictObject({
  shortcut: text(SHORTCUT_CAP, 'Enter a shortcut').regex(/^\S+$/, 'A shortcut has no spaces'),
  body: text(caps.userMessage, 'Enter a text'),
})
const one = z.strictObject({ pgid: gid, gid })
const feature = { feature: 'conversations.update' } as const

export const addLabel = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/inbox/labels',
  access: feature,
  params: inProject,
  body: ofLabel,
  answer: z.strictObject({ label: labelSchema }),
})
export const changeLabel = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/inbox/labels/:gid',
  access: feature,
  params: one,
  body: ofLabel,
  answer: ok,
})
export const deleteLabel = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/inbox/labels/:gid',
  access: feature,
  params: one,
  answer: ok,
})
export const addTeam = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/inbox/teams',
  access: feature,
  params: inProject,
  body: ofTeam,
  answer: z.strictObject({ team: teamSchema }),
})
export const changeTeam = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/inbox/teams/:gid',
  access: feature,
  params: one,
  body: ofTeam,
  answer: ok,
})
export const deleteTeam = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/inbox/teams/:gid',
  access: feature,
  params: one,
  answer: ok,
})
/** Sets when a team, or the whole project, answers visitors, and how soon. Applies to what comes from then on. */
export const setOffice = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/inbox/office',
  access: feature,
  params: inProject,
  body: z.strictObject({ team: gid.nullable(), office: officeSchema }),
  answer: ok,
})
/** The caller is away, or back: assignment passes over who is away. */
export const setAway = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/inbox/away',
  access: { feature: 'conversations.reply' },
  params: inProject,
  body: z.strictObject({ away: z.boolean() }),
  answer: ok,
})

export const addSavedReply = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/inbox/saved-replies',
  access: feature,
  params: inProject,
  body: ofSavedReply,
  answer: z.strictObject({ saved_reply: savedReplySchema }),
})
export const changeSavedReply = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/inbox/saved-replies/:gid',
  access: feature,
  params: one,
  body: ofSavedReply,
  answer: ok,
})
export const deleteSavedReply = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/inbox/saved-replies/:gid',
  access: feature,
  params: one,
  answer: ok,
})
