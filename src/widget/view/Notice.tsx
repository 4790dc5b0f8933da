/** @jsxImportSource preact */
import { render } from 'preact'
import type { ChatTexts } from '../texts'
import css from './chat.module.css'

/** A page-filling message where there is no conversation to show. */
export function Notice({ texts, kind, onRetry }: { texts: ChatTexts; kind: 'gone' | 'failed'; onRetry: () => void }) {
  return (
    <main class={`${css.chat} ${css.notice}`}>
      <div role="alert">
        <h1>{kind === 'gone' ? texts.goneTitle : texts.failedTitle}</h1>
        <p>{kind === 'gone' ? texts.goneText : texts.failedText}</p>
      </div>
      {kind === 'failed' && (
        <button type="button" class={css.primary} onClick={onRetry}>
          {texts.tryAgain}
        </button>
      )}
    </main>
  )
}

export function showNotice(root: HTMLElement, texts: ChatTexts, kind: 'gone' | 'failed', onRetry: () => void): void {
  render(<Notice texts={texts} kind={kind} onRetry={onRetry} />, root)
}
