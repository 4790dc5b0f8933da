import { createContext } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Look } from '../types'
import { lookStyle, type Scheme } from './lookStyle'
import { matches } from './matches'

/** The optional parts of a chat; without a look (tests of a flow) only what each message contains. */
export const plainParts: Look['parts'] = {
  sources: true,
  ratings: false,
  times: false,
  copy: false,
  voice: false,
  sounds: false,
  transcript: false,
  whatsapp: false,
  branding: false,
}
export const Parts = createContext(plainParts)
/** Whether a field takes the cursor when it is there to be seen: not in a chat that is only looked at. */
export const TakesCursor = createContext(true)

/** Light or dark: as the look says, or as the visitor's system does, also when that changes. */
export function useScheme(wanted: Look['colours']['scheme']): Scheme {
  const [dark, setDark] = useState(() => matches('(prefers-color-scheme: dark)'))
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)')
    const follow = () => setDark(query.matches)
    follow()
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [])
  return wanted === 'system' ? (dark ? 'dark' : 'light') : wanted
}

/** What an element wears to look as the chat does; `scheme` instead of what the look and the visitor's system say. */
export function useLookStyle(look: Look | null, scheme: Scheme | null = null): Record<string, string> | undefined {
  const own = useScheme(look?.colours.scheme ?? 'system')
  return useMemo(() => (look ? lookStyle(look, scheme ?? own) : undefined), [look, scheme, own])
}
