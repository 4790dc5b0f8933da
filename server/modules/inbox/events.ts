import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

const conversation = z.strictObject({ conversation: z.string() })

export const conversationLabelled = defineEvent(
  'conversation.labelled',
  conversation.extend({ added: z.array(z.string()), removed: z.array(z.string()) }),
)
export const conversationPrioritized = defineEvent(
  'conversation.prioritized',
  conversation.extend({ priority: z.int().min(0).max(3) }),
)
/** Null: it is among the open ones again, before its time or at it. */
export const conversationSnoozed = defineEvent(
  'conversation.snoozed',
  conversation.extend({ until: z.string().nullable() }),
)
/** Which team has it; the name as it was. */
export const conversationTeamed = defineEvent(
  'conversation.teamed',
  conversation.extend({ team: z.string().nullable(), name: z.string().nullable() }),
)
/** Its visitor may not write any more, or may again. */
export const visitorBlocked = defineEvent('visitor.blocked', conversation.extend({ blocked: z.boolean() }))
/** For colleagues; the words are a row. */
export const noteAdded = defineEvent(
  'note.added',
  conversation.extend({ note: z.string(), mentions: z.array(z.string()) }),
)

/** A source says right what the bot said wrong. */
export const messageCorrected = defineEvent('message.corrected', conversation.extend({ seq: z.int().min(1) }))

/** What happened to a conversation stands between its messages now: who reads them reads it again. */
export const activityNoted = defineEvent('activity.noted', conversation)

const label = z.strictObject({ label: z.string() })
export const labelAdded = defineEvent('label.added', label)
export const labelChanged = defineEvent('label.changed', label)
export const labelDeleted = defineEvent('label.deleted', label)
const team = z.strictObject({ team: z.string() })
export const teamAdded = defineEvent('team.added', team)
export const teamChanged = defineEvent('team.changed', team)
export const teamDeleted = defineEvent('team.deleted', team)
/** When a team, or null: the project, answers visitors, and how soon. */
export const officeChanged = defineEvent('office.changed', z.strictObject({ team: z.string().nullable() }))
/** A member set themselves away, or back. */
export const memberAway = defineEvent('member.away', z.strictObject({ user: z.string(), away: z.boolean() }))
const savedReply = z.strictObject({ saved_reply: z.string() })
export const savedReplyAdded = defineEvent('savedReply.added', savedReply)
export const savedReplyChanged = defineEvent('savedReply.changed', savedReply)
export const savedReplyDeleted = defineEvent('savedReply.deleted', savedReply)
/** A view that others see too was kept, changed, or is gone. */
export const sharedViewChanged = defineEvent('sharedView.changed', z.strictObject({ view: z.string() }))
