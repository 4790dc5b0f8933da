import type { EventDefinition } from '../../platform/events/defineEvent'
import * as accounts from '../accounts/events'
import * as agents from '../agents/events'
import * as billing from '../billing/events'
import * as chatbots from '../chatbots/events'
import * as contacts from '../contacts/events'
import * as domains from '../domains/events'
import * as exported from '../exports/events'
import * as flows from '../flows/events'
import * as housekeeping from '../housekeeping/events'
import * as inbox from '../inbox/events'
import * as insights from '../insights/events'
import * as integrations from '../integrations/events'
import * as knowledge from '../knowledge/events'
import * as messageApi from '../messageApi/events'
import * as models from '../models/events'
import * as notifications from '../notifications/events'
import * as privacy from '../privacy/events'
import * as secrets from '../secrets/events'
import * as signOn from '../signOn/events'
import * as web from '../web/events'
import * as webhooks from '../webhooks/events'
import * as whatsapp from '../whatsapp/events'

/** What is work with visitors, which conversations show themselves, or follows from what somebody did. */
const LEFT_OUT = new Set(['activity', 'credits', 'conversation', 'note', 'message', 'booking', 'source'])

const isDefinition = (each: unknown): each is EventDefinition =>
  typeof each === 'object' && each !== null && 'type' in each && 'payload' in each && 'migrations' in each

/** The events that the log has, where a member caused them: of settings, people, sources and what is published. */
export const audited: readonly EventDefinition[] = [
  ...[
    accounts,
    agents,
    billing,
    chatbots,
    contacts,
    domains,
    exported,
    flows,
    housekeeping,
    inbox,
    insights,
    integrations,
  ],
  ...[knowledge, messageApi, models, notifications, privacy, secrets, signOn, web, webhooks, whatsapp],
]
  .flatMap((events) => Object.values(events).filter(isDefinition))
  .filter(({ type }) => type === housekeeping.conversationDeleted.type || !LEFT_OUT.has(subjectOf(type)))

/** The part of an event's type before its dot. */
export function subjectOf(type: string): string {
  return type.slice(0, type.indexOf('.'))
}
