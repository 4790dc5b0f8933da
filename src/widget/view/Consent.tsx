/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import type { PageTexts } from '../pageTexts'
import css from './chat.module.css'
import page from './page.module.css'

/** Asks once whether the browser may keep the conversation. */
export function Consent({ said, onAgree }: { said: PageTexts; onAgree: () => void }) {
  const [open, setOpen] = useState(true)
  if (!open) return null
  return (
    <section class={page.consent} aria-label={said.consent}>
      <p>{said.consent}</p>
      <div>
        <button type="button" class={css.quiet} onClick={() => setOpen(false)}>
          {said.consentNo}
        </button>
        <button
          type="button"
          class={css.secondary}
          onClick={() => {
            onAgree()
            setOpen(false)
          }}
        >
          {said.consentYes}
        </button>
      </div>
    </section>
  )
}
