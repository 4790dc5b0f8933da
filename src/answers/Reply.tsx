import { Bug, Check, Copy, RotateCw, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/Button'
import { notify } from '../ui/notify'
import { AnswerParts } from './AnswerParts'
import { AnswerText } from './AnswerText'
import { CitationChips } from './Citations'
import { DebugCard } from './DebugCard'
import styles from './thread.module.css'
import type { Exchange } from './useAsking'

interface ReplyProps {
  exchange: Exchange
  onRetry: () => void
  actions: ReactNode
}

/** What came of a question: the answer as it is written, where it is from, why it is so, and what can be done with it. */
export function Reply({ exchange, onRetry, actions }: ReplyProps) {
  const { t } = useTranslation('answers')
  const { state, text, answer, error } = exchange
  const [why, setWhy] = useState(false)
  return (
    <div className={styles.reply} data-state={state} data-found={answer ? answer.found : undefined}>
      {text !== '' && (
        <div className={styles.text}>
          <AnswerText text={text} citations={answer?.citations ?? []} />
          {state === 'writing' && <span className={styles.caret} aria-hidden="true" />}
        </div>
      )}
      {state === 'writing' && text === '' && (
        <span className={styles.dots} aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
      )}
      {state === 'stopped' && <p className={styles.stopped}>{t('stopped')}</p>}
      {state === 'failed' && (
        <p role="alert" className={styles.failed}>
          <TriangleAlert size={15} /> {error}
        </p>
      )}
      {answer && answer.parts.length > 0 && <AnswerParts parts={answer.parts} />}
      {answer && <CitationChips citations={answer.citations} />}
      {state !== 'writing' && (
        <div className={styles.actions}>
          {answer && (
            <Button size="s" design="ghost" icon={<Bug />} aria-expanded={why} onClick={() => setWhy(!why)}>
              {t('why')}
            </Button>
          )}
          {text !== '' && <CopyButton text={text} />}
          {state !== 'done' && (
            <Button size="s" design="ghost" icon={<RotateCw />} onClick={onRetry}>
              {t('retry')}
            </Button>
          )}
          {actions}
        </div>
      )}
      {answer && why && <DebugCard answer={answer} />}
    </div>
  )
}

function CopyButton({ text }: { text: string }) {
  const { t } = useTranslation('answers')
  const [copied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => notify.error(t('copyFailed')),
    )
  return (
    <Button size="s" design="ghost" icon={copied ? <Check /> : <Copy />} onBlur={() => setCopied(false)} onClick={copy}>
      {copied ? t('copied') : t('copy')}
    </Button>
  )
}
