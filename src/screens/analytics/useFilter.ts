import { useSearchParams } from 'react-router'
import type { AnalyticsFilter } from '../../../server/contracts/analytics'
import { ownZone, shiftDay, todayIn } from '../../charts/days'

export const presets = ['1', '7', '28', '90', '365', 'custom'] as const
export type Preset = (typeof presets)[number]
const isPreset = (value: string | null): value is Preset => presets.some((preset) => preset === value)
const DATE = /^\d{4}-\d{2}-\d{2}$/

/** Time zones to choose from, with the present one. */
export const zonesWith = (current: string): string[] => [
  ...new Set([current, ownZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')]),
]

/** What the screen shows, kept in its address, so that a link shows the same. */
export function useFilter(chatbot: string | undefined) {
  const [search, setSearch] = useSearchParams()
  const zone = search.get('zone') ?? ownZone()
  const wanted = search.get('period')
  const preset: Preset = isPreset(wanted) ? wanted : '28'
  const today = todayIn(zone)
  const date = (name: string, otherwise: string) => {
    const value = search.get(name) ?? ''
    return DATE.test(value) && !Number.isNaN(Date.parse(value)) ? value : otherwise
  }
  const days = preset === 'custom' ? 28 : Number(preset)
  const to = preset === 'custom' ? date('to', today) : today
  const from = preset === 'custom' ? date('from', shiftDay(to, -27)) : shiftDay(today, 1 - days)
  const environment = search.get('environment')
  const channel = search.get('channel')
  const filter: AnalyticsFilter = {
    ...(chatbot !== undefined && { chatbot }),
    ...{ from, to, zone },
    ...((environment === 'production' || environment === 'sharing') && { environment }),
    ...(channel && { channel }),
  }
  const change = (changed: Record<string, string | null>) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changed))
          if (value === null) next.delete(name)
          else next.set(name, value)
        return next
      },
      { replace: true },
    )
  return { filter, preset, change }
}
