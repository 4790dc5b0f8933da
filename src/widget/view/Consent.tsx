/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { PageTexts } from '../pageTexts'
import css from './chat.module.css'
import page from './page.module.css'

export interface ConsentProps {
  said: PageTexts
  /** on an earlier visit */
  agreed: boolean
  /** whether the visit counts in statistics, as on an earlier visit */
  counted: boolean
  onSay(given: boolean, counted: boolean): void
  /** whether it counts was changed, without a word about the rest. @param given what was said of that before */
  onCount(counted: boolean, given: boolean): void
}

/**
 * Asks whether the browser may keep the conversation, and whether the visit counts in statistics: it does unless the
 * visitor says no (SPEC.md 3: default on). Once answered, it is a small button that asks again.
 */
export function Consent({ said, agreed, counted: before, onSay, onCount }: ConsentProps) {
  const [open, setOpen] = useState(!agreed)
  const [given, setGiven] = useState(agreed ? true : null)
  const [counted, setCounted] = useState(before)
  const again = useRef<HTMLButtonElement>(null)
  const first = useRef<HTMLButtonElement>(null)
  const pressed = useRef(false)
  // what had the keyboard is gone: it stays at this place
  useEffect(() => {
    if (pressed.current) (open ? first : again).current?.focus()
  }, [open])
  const turn = (next: boolean) => {
    pressed.current = true
    setOpen(next)
  }
  const say = (answer: boolean) => {
    onSay(answer, counted)
    setGiven(answer)
    turn(false)
  }
  const count = (next: boolean) => {
    setCounted(next)
    onCount(next, given === true)
  }
  if (!open)
    return (
      <button
        type="button"
        ref={again}
        class={page.consentAgain}
        aria-label={said.consent}
        title={said.consent}
        aria-expanded={false}
        onClick={() => turn(true)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M12 3 5 6v5c0 4.5 3 8.3 7 10 4-1.7 7-5.5 7-10V6z" />
          {given && <path d="m9 12 2 2 4-4" />}
        </svg>
      </button>
    )
  return (
    <section class={page.consent} aria-label={said.consent}>
      <p>{said.consent}</p>
      <label>
        <input type="checkbox" checked={counted} onChange={({ currentTarget }) => count(currentTarget.checked)} />
        {said.consentCount}
      </label>
      <div>
        <button
          type="button"
          ref={first}
          class={css.quiet}
          {...(given !== null && { 'aria-pressed': !given })}
          onClick={() => say(false)}
        >
          {said.consentNo}
        </button>
        <button
          type="button"
          class={css.secondary}
          {...(given !== null && { 'aria-pressed': given })}
          onClick={() => say(true)}
        >
          {said.consentYes}
        </button>
      </div>
    </section>
  )
}
