/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks'
import { loadPageTexts, type PageTexts } from '../pageTexts'
import { type ChatTexts, fill } from '../texts'
import type { Conversation } from '../types'
import css from './chat.module.css'
import { momentIn } from './momentIn'

interface AwayProps {
  away: NonNullable<Conversation['away']>
  texts: ChatTexts
  language: string
}

/** What a visitor reads who waits for a person outside of the team's hours, until they begin. */
export function Away({ away: { message, opens_at }, texts, language }: AwayProps) {
  const [said, setSaid] = useState<PageTexts | null>(null)
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    let isThere = true
    void loadPageTexts(language, texts).then((loaded) => isThere && setSaid(loaded))
    return () => {
      isThere = false
    }
  }, [language, texts])
  useEffect(() => {
    const left = opens_at === null ? Number.POSITIVE_INFINITY : Date.parse(opens_at) - Date.now()
    setOver(left <= 0)
    if (left <= 0 || left > LONGEST) return
    const timer = setTimeout(() => setOver(true), left)
    return () => clearTimeout(timer)
  }, [opens_at])
  if (!said || isOver) return null
  return (
    <div class={css.queue} role="status">
      <p class={css.away}>{message || said.closedTitle}</p>
      {opens_at && <p class={css.away}>{fill(said.opensAt, { when: momentIn(language, opens_at) })}</p>}
    </div>
  )
}

/** The longest that a timer of a browser waits. */
const LONGEST = 2_000_000_000
