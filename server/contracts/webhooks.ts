import { z } from 'zod'
import { caps, tooLong } from '../../engine/values/caps'
import { defineRoute, gid, ok } from './route'
import { webhookEvents } from './webhookEvents'

export const webhookCaps = { endpoints: 20, description: 200, answer: 1_000 } as const
export const WEBHOOK_MESSAGES_SHOWN = 50
/** Days that messages and their attempts are kept. */
export const WEBHOOK_LOG_DAYS = 30

const inProject = z.strictObject({ pgid: gid })
const ofEndpoint = z.strictObject({ pgid: gid, gid })

const settings = z.strictObject({
  url: z.string().trim().min(1, 'Enter a URL').max(caps.url, tooLong(caps.url)),
  description: z.string().trim().max(webhookCaps.description, tooLong(webhookCaps.description)),
  events: z
    .array(z.enum(webhookEvents))
    .min(1, 'Choose at least one event')
    .max(webhookEvents.length)
    .refine((events) => new Set(events).size === events.length, 'Choose each event once'),
  /** whether payloads name people and say what they wrote; without: ids, states and times */
  personal: z.boolean(),
  enabled: z.boolean(),
})
export type WebhookSettings = z.infer<typeof settings>

const endpoint = settings.extend({
  gid,
  /** why it was switched off by itself: its receiver failed for three days, or answered that it is gone (410) */
  stopped: z.enum(['failures', 'gone']).nullable(),
  stopped_at: z.string().nullable(),
  /** attempts in a row that failed */
  failures: z.int(),
  failing_since: z.string().nullable(),
  /** until when the secret before the present one signs as well */
  old_secret_until: z.string().nullable(),
  /** messages that wait for their next attempt */
  pending: z.int(),
  created_at: z.string(),
})
export type WebhookEndpoint = z.infer<typeof endpoint>

/** A project's endpoints, and whether its plan has the feature `integrations`. */
export const listWebhooks = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/webhooks',
  access: { feature: 'integrations.view' },
  apiKey: 'read',
  params: inProject,
  answer: z.strictObject({ endpoints: z.array(endpoint), allowed: z.boolean() }),
})
/** The answer is the only one with the secret that messages are signed with. */
export const createWebhook = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/webhooks',
  access: { feature: 'integrations.connect' },
  apiKey: 'write',
  plan: 'integrations',
  params: inProject,
  body: settings,
  answer: z.strictObject({ endpoint, secret: z.string() }),
})
/** Switched on again, it begins anew: what failed before is sent when somebody says so (`replayWebhook`). */
export const updateWebhook = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/webhooks/:gid',
  access: { feature: 'integrations.connect' },
  apiKey: 'write',
  plan: 'integrations',
  params: ofEndpoint,
  body: settings.partial(),
  answer: z.strictObject({ endpoint }),
})
/** With its messages; nothing more is sent. */
export const deleteWebhook = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/webhooks/:gid',
  access: { feature: 'integrations.disconnect' },
  apiKey: 'write',
  params: ofEndpoint,
  answer: ok,
})
/** A new secret; the one before it signs as well for 24 hours, so that no message is refused meanwhile. */
export const rotateWebhookSecret = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/webhooks/:gid/secret',
  access: { feature: 'integrations.connect' },
  params: ofEndpoint,
  answer: z.strictObject({ endpoint, secret: z.string() }),
})

const attempt = z.strictObject({
  at: z.string(),
  /** milliseconds */
  duration: z.int(),
  status: z.int().nullable(),
  answer: z.string(),
  error: z.string().nullable(),
})
export type WebhookAttempt = z.infer<typeof attempt>
const message = z.strictObject({
  gid,
  type: z.enum(webhookEvents),
  test: z.boolean(),
  status: z.enum(['pending', 'delivered', 'failed']),
  /** of all rounds */
  attempts: z.int(),
  next_at: z.string().nullable(),
  /** of the last attempt */
  last: attempt.nullable(),
  created_at: z.string(),
})
export type WebhookMessage = z.infer<typeof message>

/** Sends an example of an event, marked as a test, and answers when its receiver did: one attempt. */
export const testWebhook = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/webhooks/:gid/test',
  access: { feature: 'integrations.connect' },
  plan: 'integrations',
  limit: { by: 'user', most: 30 },
  params: ofEndpoint,
  body: z.strictObject({ type: z.enum(webhookEvents) }),
  answer: z.strictObject({ message }),
})
/** An endpoint's messages, newest first; `before` is the last one of the page before. */
export const listWebhookMessages = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/webhooks/:gid/messages',
  access: { feature: 'integrations.view' },
  apiKey: 'read',
  params: ofEndpoint,
  query: z.strictObject({
    status: z.enum(['pending', 'delivered', 'failed']).optional(),
    before: gid.optional(),
  }),
  answer: z.strictObject({ messages: z.array(message), more: z.boolean() }),
})
/**
 * A message with its attempts. What it says, and what was answered, is for those who may read conversations: null for
 * others.
 */
export const readWebhookMessage = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/webhooks/:gid/messages/:mgid',
  access: { feature: 'integrations.view' },
  apiKey: 'read',
  params: ofEndpoint.extend({ mgid: gid }),
  answer: z.strictObject({ message, body: z.string().nullable(), attempts: z.array(attempt) }),
})
/** Sends messages again, with their ids: one, or all since a time (of those kept), in a new round of attempts. */
export const replayWebhook = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/webhooks/:gid/replay',
  access: { feature: 'integrations.connect' },
  plan: 'integrations',
  params: ofEndpoint,
  body: z.union([
    z.strictObject({ message: gid }),
    z.strictObject({
      since: z.iso.datetime({ message: 'Enter a date and a time' }),
      which: z.enum(['failed', 'all']),
    }),
  ]),
  answer: z.strictObject({ count: z.int() }),
})
