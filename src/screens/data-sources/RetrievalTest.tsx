import { X } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { PresentedPassage, RetrievalTest as Result } from '../../../server/contracts/sources'
import { fieldOr } from '../../api/failure'
import { type ChatbotPlace, useRetrievalTest } from '../../api/sources'
import { formatNumber, formatShare } from '../../i18n/format'
import { MarkdownView } from '../../text/markdown/MarkdownView'
import { Badge, type BadgeTone } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { IconButton } from '../../ui/IconButton'
import { TextField } from '../../ui/TextField'
import styles from './retrieval-test.module.css'

const tones: Record<Result['zone'], BadgeTone> = { confident: 'success', unsure: 'warning', unknown: 'neutral' }

/** A search test: the passages for a question, the confidence, and the built-in model's answer. */
export function RetrievalTest({ place, onClose }: { place: ChatbotPlace; onClose: () => void }) {
  const { t } = useTranslation('sources')
  const { t: common } = useTranslation()
  const [question, setQuestion] = useState('')
  const [tried, setTried] = useState(false)
  const test = useRetrievalTest(place)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (question.trim()) test.mutate(question.trim())
  }
  const problem =
    tried && !question.trim()
      ? t('test.empty')
      : test.error
        ? fieldOr(test.error, 'question', common('errors.message'))
        : undefined
  return (
    <Card
      title={t('test.title')}
      description={t('test.description')}
      actions={<IconButton size="s" label={t('test.close')} icon={<X />} onClick={onClose} />}
    >
      <form onSubmit={submit} className={styles.ask} noValidate>
        <TextField
          label={t('test.question')}
          value={question}
          maxLength={20_000}
          error={problem}
          onChange={(event) => {
            setQuestion(event.currentTarget.value)
            setTried(false)
          }}
          // the panel was opened to ask
          ref={focusOnce}
        />
        <Button type="submit" design="primary" loading={test.isPending}>
          {t('test.ask')}
        </Button>
      </form>
      {test.data && <Found place={place} result={test.data} />}
    </Card>
  )
}

const focusOnce = (field: HTMLInputElement | null) => field?.focus()

function Found({ place, result }: { place: ChatbotPlace; result: Result }) {
  const { t } = useTranslation('sources')
  const { passages, zone, answer, cites, took_ms } = result
  return (
    <section className={styles.result} aria-label={t('test.result')} aria-live="polite">
      <p className={styles.zone}>
        <Badge tone={tones[zone]}>{t(`test.zone.${zone}`)}</Badge>
        <span>{t(`test.zoneHint.${zone}`)}</span>
      </p>
      {answer && (
        <div className={styles.answer}>
          <h3>{t('test.answer')}</h3>
          <MarkdownView markdown={answer} />
        </div>
      )}
      {passages.length === 0 ? (
        <p className={styles.faint}>{t('test.none')}</p>
      ) : (
        <div>
          <h3>
            {t('test.passages', { count: passages.length })}{' '}
            <span className={styles.faint}>{t('test.took', { ms: formatNumber(Math.round(took_ms * 10) / 10) })}</span>
          </h3>
          <ol className={styles.passages}>
            {passages.map((passage, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: passages have no ids, and their order is what they are
              <Passage key={at} place={place} passage={passage} cited={cites.indexOf(at) + 1} />
            ))}
          </ol>
        </div>
      )}
    </section>
  )
}

interface PassageProps {
  place: ChatbotPlace
  passage: PresentedPassage
  /** its number in the answer; 0: not cited */
  cited: number
}

function Passage({ place: { pgid, cgid }, passage, cited }: PassageProps) {
  const { t } = useTranslation('sources')
  const { source, heading, text, score } = passage
  return (
    <li>
      <div className={styles.from}>
        <Link to={`/projects/${pgid}/chatbots/${cgid}/data-sources/${source.gid}`}>{source.title}</Link>
        <span className={styles.faint}>{t(`kind.${source.kind}`)}</span>
        {cited > 0 && <Badge tone="accent">{t('test.cited', { number: cited })}</Badge>}
        <span className={styles.score}>{t('test.score', { percent: formatShare(score, 1) })}</span>
      </div>
      {heading && <p className={styles.heading}>{heading}</p>}
      <p className={styles.text}>{text}</p>
    </li>
  )
}
