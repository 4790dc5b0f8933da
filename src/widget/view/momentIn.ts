import { regional } from './regional'

const WEEK = 6 * 86_400_000

/** A weekday and a time, or a date where that is more than a week away: by the visitor's own clock. */
export function momentIn(language: string, iso: string): string {
  const at = new Date(iso)
  const far = at.getTime() - Date.now() > WEEK
  return new Intl.DateTimeFormat(regional(language), {
    weekday: 'long',
    ...(far && { day: 'numeric', month: 'long' }),
    hour: 'numeric',
    minute: '2-digit',
  }).format(at)
}
