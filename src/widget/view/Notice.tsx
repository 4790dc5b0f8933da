/** @jsxImportSource preact */
import { render } from 'preact'
import type { ChatTexts } from '../texts'
import css from './chat.module.css'

interface NoticeProps {
  texts: ChatTexts
  kind: 'gone' | 'failed'
  /** why the server opens no chat now, in its own words, if it said so */
  said: string | null
  onRetry: () => void
  style?: Record<string, string> | undefined
}

/** A page-filling message where there is no conversation to show. */
export function Notice({ texts, kind, said, onRetry, style }: NoticeProps) {
  return (
    <main class={`${css.chat} ${css.notice}`} style={style}>
      <div role="alert">
        <h1>{kind === 'gone' ? texts.goneTitle : texts.failedTitle}</h1>
        <p>{kind === 'gone' ? texts.goneText : (said ?? texts.failedText)}</p>
      </div>
      {kind === 'failed' && (
        <button type="button" class={css.primary} onClick={onRetry}>
          {texts.tryAgain}
        </button>
      )}
    </main>
  )
}

export function showNotice(root: HTMLElement, props: NoticeProps): void {
  render(<Notice {...props} />, root)
}
