import { BrainCircuit, Bug, Check, Copy, Info, RotateCw, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { Suggestion } from '../../server/contracts/answers'
import { useCan } from '../api/account'
import { EffectList } from '../testEffects/EffectCard'
import { Button } from '../ui/Button'
import { notify } from '../ui/notify'
import { AnswerParts } from './AnswerParts'
import { AnswerText } from './AnswerText'
import { CitationChips } from './Citations'
import { DebugCard } from './DebugCard'
import { NearestOffers } from './NearestOffers'
import styles from './thread.module.css'
import type { Exchange } from './useAsking'

interface ReplyProps {
  exchange: Exchange
  onRetry: () => void
  /** answers with a suggestion; absent: this isn't the last answer */
  onChoose?: ((suggestion: Suggestion) => void) | undefined
  actions: ReactNode
}

/** A question's answer: the streamed text, citations, the debug card, and actions. */
export function Reply({ exchange, onRetry, onChoose, actions }: ReplyProps) {
  const { t } = useTranslation('answers')
  const { state, text, answer, error } = exchange
  const [why, setWhy] = useState(false)
  // then the text is the message for visitors, not an answer
  const failedToAnswer = state === 'failed' && answer !== null
  const said = failedToAnswer ? '' : text
  return (
    <div className={styles.reply} data-state={state} data-found={answer ? !answer.answer_not_found : undefined}>
      {said !== '' && (
        <div className={styles.text}>
          <AnswerText text={said} citations={answer?.citations ?? []} />
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
      {failedToAnswer && <p className={styles.stopped}>{t('told', { text })}</p>}
      {answer && answer.parts.length > 0 && <AnswerParts parts={answer.parts} />}
      {answer?.suggestions && <NearestOffers offers={answer.suggestions.offers} onChoose={onChoose} />}
      {answer && <EffectList effects={answer.debug.steps.flatMap(({ effect }) => effect ?? [])} />}
      {answer && <CitationChips citations={answer.citations} />}
      {state !== 'writing' && (
        <div className={styles.actions}>
          {answer && (
            <Button
              size="s"
              design="ghost"
              icon={answer.debug.note && state === 'done' ? <Info className={styles.noted} /> : <Bug />}
              aria-expanded={why}
              onClick={() => setWhy(!why)}
            >
              {t('why')}
            </Button>
          )}
          {said !== '' && <CopyButton text={said} />}
          {state !== 'done' && (
            <Button size="s" design="ghost" icon={<RotateCw />} onClick={onRetry}>
              {t('retry')}
            </Button>
          )}
          {failedToAnswer && <SettingsLink />}
          {actions}
        </div>
      )}
      {answer && why && <DebugCard answer={answer} />}
    </div>
  )
}

/** A link to the AI settings, for people who may open them. */
function SettingsLink() {
  const { t } = useTranslation('answers')
  const { pgid, cgid } = useParams()
  if (!useCan('ai.view')) return null
  return (
    <Button size="s" design="ghost" icon={<BrainCircuit />} to={`/projects/${pgid}/chatbots/${cgid}/settings/ai`}>
      {t('openSettings')}
    </Button>
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
