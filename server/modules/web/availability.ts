import { opennessAt } from '../../../engine/values/openHours'
import type { VisibilitySettings } from '../../contracts/web/settings'

/** What visitors meet: the chat; nothing at all (`hidden`); or that it is closed, with a form where there is one. */
export type Availability =
  | { state: 'open' }
  | { state: 'hidden' }
  | { state: 'closed'; message: string; form: boolean; opensAt: Date | null }

/** What visitors of a chatbot meet now. */
export function availabilityOf({ visibility, schedule }: VisibilitySettings, now: Date): Availability {
  if (visibility === 'off') return { state: 'hidden' }
  if (!schedule.enabled) return { state: 'open' }
  const { open, until } = opennessAt(schedule, minuteOf(now))
  if (open) return { state: 'open' }
  if (schedule.outside === 'hidden') return { state: 'hidden' }
  return {
    state: 'closed',
    message: schedule.message,
    form: schedule.outside === 'form',
    opensAt: until === null ? null : new Date(until * MINUTE),
  }
}

/** Whether the hours let visitors in now, and when that changes; null: never. */
export function opennessNow({ schedule }: VisibilitySettings, now: Date): { open: boolean; changesAt: Date | null } {
  if (!schedule.enabled) return { open: true, changesAt: null }
  const { open, until } = opennessAt(schedule, minuteOf(now))
  return { open, changesAt: until === null ? null : new Date(until * MINUTE) }
}

const MINUTE = 60_000
const minuteOf = (now: Date): number => Math.floor(now.getTime() / MINUTE)
