import type { LinkCall } from '../../../../engine/effects/bookings'

/** The address of a page that one books on, with what is known, and the mark that comes back with the booking. */
export function linkFor(
  page: string,
  { name, email, day }: Pick<LinkCall, 'name' | 'email' | 'day'>,
  mark: string,
): string {
  const url = new URL(page)
  const known: Record<string, string> = {
    name: name.trim(),
    email: email.trim(),
    month: day?.slice(0, 7) ?? '',
    date: day?.slice(0, 10) ?? '',
    utm_source: 'parley',
    utm_content: mark,
  }
  for (const [key, value] of Object.entries(known)) if (value !== '') url.searchParams.set(key, value)
  return url.href
}
