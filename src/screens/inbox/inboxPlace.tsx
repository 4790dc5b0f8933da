import { createContext, useContext } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { type InboxView, inboxViews } from '../../../server/contracts/inbox'
import type { KeptView } from '../../../server/contracts/inboxViews'
import type { Filters } from '../../api/inbox'

/** Where one is in the inbox, from the address: so that every view and every conversation has a link. */
export interface InboxPlace {
  pgid: string
  /** the chatbot whose conversations are shown; undefined: those of all */
  cgid: string | undefined
  conversation: string | undefined
  view: InboxView
  filters: Filters
  open: (conversation: string | null, how?: { replace: boolean }) => void
  show: (view: InboxView) => void
  /** a view with its filters, instead of those that there are */
  showKept: (kept: Pick<KeptView, 'view' | 'filters'>) => void
  filter: (change: Partial<Record<FilterName, string | undefined>>) => void
}
export const filterNames = [
  'chatbot',
  'label',
  'team',
  'channel',
  'language',
  'rating',
  'environment',
  'since',
  'until',
] as const
export type FilterName = (typeof filterNames)[number]

export function useInboxPlaceOfAddress(): InboxPlace {
  const { pgid = '', cgid, conversation } = useParams()
  const [search, setSearch] = useSearchParams()
  const navigate = useNavigate()
  const home = cgid ? `/projects/${pgid}/chatbots/${cgid}/conversations` : `/projects/${pgid}/conversations`
  const wanted = search.get('view')
  const view = inboxViews.find((one) => one === wanted) ?? 'all'
  const given = Object.fromEntries(filterNames.flatMap((name) => (search.get(name) ? [[name, search.get(name)]] : [])))
  const change = (part: Record<string, string | undefined>) => {
    const next = new URLSearchParams(search)
    for (const [name, value] of Object.entries(part)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    return next
  }
  return {
    pgid,
    cgid,
    conversation,
    view,
    filters: {
      ...(given as Filters),
      ...(given.rating && { rating: Number(given.rating) }),
      ...(cgid && { chatbot: cgid }),
    },
    open: (gid, how) => navigate({ pathname: gid ? `${home}/${gid}` : home, search: search.toString() }, how),
    showKept: (kept) => navigate({ pathname: home, search: addressOf(kept, Date.now()) }),
    show: (next) => navigate({ pathname: home, search: change({ view: next }).toString() }),
    filter: (part) => setSearch(change(part), { replace: true }),
  }
}

const DAY = 86_400_000

/** How many days are shown, of a filter's beginning. */
export const daysSince = (since: string, now: number): number => Math.round((now - Date.parse(since)) / DAY)

/** What a view with these filters is kept as: the last days stay the last ones, a period with an end stays itself. */
export function keptOf(
  { view, filters }: Pick<InboxPlace, 'view' | 'filters'>,
  now: number,
): Pick<KeptView, 'view' | 'filters'> {
  const { since, ...others } = filters
  if (!since || others.until) return { view, filters }
  return { view, filters: { ...others, days: Math.max(1, daysSince(since, now)) } }
}

/** The address's search of a view that is kept. */
export function addressOf(
  { view, filters: { days, ...others } }: Pick<KeptView, 'view' | 'filters'>,
  now: number,
): string {
  const since = days && new Date(now - days * DAY).toISOString()
  const given = Object.entries({ view, ...others, ...(since && { since }) })
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
}

const Place = createContext<InboxPlace | null>(null)
export const InboxPlaceProvider = Place.Provider

export function useInboxPlace(): InboxPlace {
  const place = useContext(Place)
  if (!place) throw new Error('This is a part of the inbox.')
  return place
}
