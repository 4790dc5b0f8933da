import { z } from 'zod'
import { defineRoute, gid } from './route'
import { webhookEvents } from './webhookEvents'

/** Events that one page has looked through. */
export const EVENTS_SHOWN = 50

const types = z
  .string()
  .min(1)
  .max(400)
  .refine((text) => text.split(',').every((type) => (webhookEvents as readonly string[]).includes(type)), {
    error: `Separate types by commas, of these: ${webhookEvents.join(', ')}`,
  })
  .describe('the types that are wanted, separated by commas; left out: all')

/** A place in the log: its epoch, and the numbers of a transaction and an event. Clients don't look into it. */
export const eventCursor = z
  .string()
  .regex(/^\d{1,9}\.\d{1,19}\.\d{1,18}$/, 'This is no cursor')
  .describe('an event’s `cursor`, or `next_cursor`')

export const loggedEventSchema = z.strictObject({
  id: z.string().describe('the event’s own; an event that is read twice has the same'),
  type: z.enum(webhookEvents),
  version: z.int(),
  timestamp: z.string(),
  cursor: eventCursor.describe('what came after it is read with it'),
  data: z.record(z.string(), z.unknown()).describe('what it is about, as that is now'),
})
export type LoggedEvent = z.infer<typeof loggedEventSchema>

/**
 * What happened in a project, oldest first, as webhooks tell it: with what it is about as that is now. Events of what
 * is gone are left out. People are named only to whom may read conversations and contacts.
 */
export const readEventLog = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/event-log',
  access: { feature: 'integrations.view' },
  apiKey: 'read',
  plan: 'integrations',
  params: z.strictObject({ pgid: gid }),
  query: z.strictObject({
    types: types.optional(),
    since: z.iso.datetime().optional().describe('leaves out what was before'),
    cursor: eventCursor.optional(),
  }),
  answer: z.strictObject({
    events: z.array(loggedEventSchema),
    /** null: there is no more yet */
    next: z.string().nullable(),
  }),
})
