import {
  CalendarCheck,
  CalendarClock,
  Contact,
  Headset,
  type LucideIcon,
  Mail,
  MousePointerClick,
  Webhook,
} from 'lucide-react'
import { type ActionKind, type AgentAction, actionKinds } from '../../../engine/values/agentActions'

export const kindIcons: Record<ActionKind, LucideIcon> = {
  buttons: MousePointerClick,
  'lead-form': Contact,
  'http-request': Webhook,
  'send-email': Mail,
  booking: CalendarClock,
  appointment: CalendarCheck,
  'hand-off': Headset,
}

export const isActionKind = (slug: string): slug is ActionKind => (actionKinds as readonly string[]).includes(slug)

const common = {
  name: '',
  description: '',
  frequency: 'always' as const,
  parameters: [],
  save_to: null,
  enabled: true,
}

/** The initial values of a new action. @param word texts for visitors, in the editor's language */
export function newAction(
  kind: ActionKind,
  word: (key: 'submit' | 'book' | 'thanks' | 'reschedule' | 'cancel') => string,
): AgentAction {
  switch (kind) {
    case 'buttons':
      return { ...common, kind, config: { text: '', buttons: [{ label: '', url: '' }] } }
    case 'lead-form':
      return {
        ...common,
        kind,
        frequency: 'once',
        config: {
          title: '',
          submit_label: word('submit'),
          fields: [
            { field: 'name', required: true, prefill: '' },
            { field: 'email', required: true, prefill: '' },
          ],
          thanks: word('thanks'),
        },
      }
    case 'http-request':
      return { ...common, kind, config: { method: 'GET', url: '', headers: [], body: '' } }
    case 'send-email':
      return {
        ...common,
        kind,
        frequency: 'once',
        config: { from_name: '', to: [''], reply_to: '', subject: '', message: '' },
      }
    case 'booking':
      return { ...common, kind, config: { url: '', label: word('book'), name: '', email: '', phone: '' } }
    case 'appointment':
      return {
        ...common,
        kind,
        frequency: 'once',
        config: {
          connection: '',
          event_type: { id: '', name: '' },
          time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          link_label: word('book'),
          reschedule_label: word('reschedule'),
          cancel_label: word('cancel'),
        },
      }
    case 'hand-off':
      return { ...common, kind, frequency: 'once', config: { team: '', note: '', message: '' } }
  }
}
