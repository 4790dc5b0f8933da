import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Suggestion } from '../../server/contracts/answers'
import { Reply } from './Reply'
import styles from './thread.module.css'
import type { Exchange } from './useAsking'

interface ThreadProps {
  exchanges: readonly Exchange[]
  /** the accessible name, if there are two conversations */
  label: string
  /** shown before the first question */
  empty: ReactNode
  onRetry: (id: number) => void
  /** answers with a suggestion of the last answer */
  onChoose: (suggestion: Suggestion) => void
  /** additional actions of an answer */
  actions?: (exchange: Exchange) => ReactNode
}

/**
 * Questions and answers, newest last. Stays scrolled to the end while an answer is streamed, unless the user scrolled
 * away.
 */
export function Thread({ exchanges, label, empty, onRetry, onChoose, actions }: ThreadProps) {
  const { t } = useTranslation('answers')
  const box = useRef<HTMLElement>(null)
  const following = useRef(true)
  const count = exchanges.length
  useEffect(() => {
    // a new question scrolls to the end
    if (count > 0) following.current = true
  }, [count])
  useLayoutEffect(() => {
    if (following.current && exchanges.length > 0) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [exchanges])
  return (
    <section
      ref={box}
      className={styles.thread}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard too
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        following.current = scrollHeight - scrollTop - clientHeight < 48
      }}
    >
      {count === 0 ? (
        empty
      ) : (
        <ol className={styles.list}>
          {exchanges.map((exchange, at) => (
            <li key={exchange.id} className={styles.exchange}>
              <p className={styles.question}>
                <span className={styles.hidden}>{t('you')} </span>
                {exchange.question}
              </p>
              <Reply
                exchange={exchange}
                onRetry={() => onRetry(exchange.id)}
                onChoose={at === exchanges.length - 1 ? onChoose : undefined}
                actions={actions?.(exchange)}
              />
            </li>
          ))}
        </ol>
      )}
      <p role="status" className={styles.hidden}>
        {spoken(exchanges.at(-1), t('writing'))}
      </p>
    </section>
  )
}

/** Announced when it starts and when it is complete, not word by word. */
function spoken(last: Exchange | undefined, writing: string): string {
  if (!last) return ''
  return last.state === 'writing' ? writing : (last.error ?? last.text)
}
