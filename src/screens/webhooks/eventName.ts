import type { WebhookEvent } from '../../../server/contracts/webhookEvents'

type Dashed<Text extends string> = Text extends `${infer Subject}.${infer Verb}` ? `${Subject}-${Verb}` : never

/** The key of an event's name among the texts of `webhooks`: a dot would lead further down. */
export const eventName = <Event extends WebhookEvent>(event: Event) =>
  `events.names.${event.replace('.', '-') as Dashed<Event>}` as const
