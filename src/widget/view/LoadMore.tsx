/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import type { ChatTexts } from '../texts'
import css from './chat.module.css'
import look from './look.module.css'

/** Brings earlier messages, a page at a time. */
export function LoadMore({ texts, load }: { texts: ChatTexts; load: () => Promise<void> }) {
  const [state, setState] = useState<'ready' | 'loading' | 'failed'>('ready')
  return (
    <>
      <button
        type="button"
        class={`${css.secondary} ${look.more}`}
        aria-busy={state === 'loading'}
        disabled={state === 'loading'}
        onClick={() => {
          setState('loading')
          load().then(
            () => setState('ready'),
            () => setState('failed'),
          )
        }}
      >
        {texts.loadMore}
      </button>
      {state === 'failed' && (
        <p class={css.problem} role="alert">
          {texts.failedText}
        </p>
      )}
    </>
  )
}
