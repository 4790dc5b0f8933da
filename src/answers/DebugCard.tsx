import { ChevronRight, Info } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerDebug, ChatAnswer } from '../../server/contracts/answers'
import { formatNumber, formatTemperature } from '../i18n/format'
import { Badge, type BadgeTone } from '../ui/Badge'
import styles from './debugCard.module.css'

const zoneTones: Record<AnswerDebug['zone'], BadgeTone> = {
  confident: 'success',
  unsure: 'warning',
  unknown: 'neutral',
}

/** How an answer came about: the search query, the passages, the model's prompt, the cost. */
export function DebugCard({ answer: { debug, citations } }: { answer: Pick<ChatAnswer, 'debug' | 'citations'> }) {
  const { t } = useTranslation('answers')
  const { passages, steps, prompt, note } = debug
  const numberOf = (text: string) => citations.find((citation) => citation.text === text)?.number
  return (
    <section className={styles.card} aria-label={t('debug.label')}>
      {note && (
        <p className={styles.note}>
          <Info size={14} /> <span>{note}</span>
        </p>
      )}
      <Figures debug={debug} />
      <Part title={t('debug.passages', { count: passages.length })} open>
        {passages.length === 0 ? (
          <p className={styles.none}>{t('debug.noPassages')}</p>
        ) : (
          <ol className={styles.passages}>
            {passages.map((passage, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a record that never changes
              <li key={at}>
                <PassageRow passage={passage} cited={numberOf(passage.text)} />
              </li>
            ))}
          </ol>
        )}
      </Part>
      {steps.length > 0 && (
        <Part title={t('debug.steps', { count: steps.length })} open={steps.some(({ call }) => call)}>
          <ol className={styles.steps}>
            {steps.map(({ name, detail, ms, ok }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <li key={at} data-failed={!ok || undefined}>
                <span className={styles.stepName}>
                  {name}
                  {!ok && <Badge tone="danger">{t('debug.failed')}</Badge>}
                </span>
                <span className={styles.stepDetail}>{detail}</span>
                <span className={styles.ms}>{t('debug.ms', { ms: formatNumber(Math.round(ms)) })}</span>
              </li>
            ))}
          </ol>
        </Part>
      )}
      {prompt !== null && (
        <Part title={t('debug.prompt')}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
          <pre className={styles.prompt} tabIndex={0}>
            {prompt}
          </pre>
        </Part>
      )}
    </section>
  )
}

function Figures({ debug }: { debug: AnswerDebug }) {
  const { t } = useTranslation('answers')
  const { model, temperature, searched, zone, tokens, credits, ms } = debug
  const figures: [label: string, value: ReactNode][] = [
    [t('debug.model'), model.name],
    [t('debug.temperature'), formatTemperature(temperature)],
    [
      t('debug.result'),
      <span key="zone" className={styles.zone}>
        <Badge tone={zoneTones[zone]}>{t(`debug.zone.${zone}`)}</Badge>
      </span>,
    ],
    [t('debug.time'), t('debug.ms', { ms: formatNumber(Math.round(ms)) })],
    [
      t('debug.tokens'),
      tokens
        ? t('debug.inOut', { input: formatNumber(tokens.input), output: formatNumber(tokens.output) })
        : t('debug.noTokens'),
    ],
    [t('debug.credits'), formatNumber(credits)],
  ]
  return (
    <dl className={styles.figures}>
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      <div className={styles.searched}>
        <dt>{t('debug.searched')}</dt>
        <dd>{searched}</dd>
      </div>
    </dl>
  )
}

function PassageRow({ passage, cited }: { passage: AnswerDebug['passages'][number]; cited: number | undefined }) {
  const { t } = useTranslation('answers')
  const { source, heading, text, score } = passage
  const headings = heading.split('\n').filter((line) => line !== '' && line !== source.title)
  return (
    <details className={styles.passage}>
      <summary>
        <ChevronRight size={13} className={styles.chevron} />
        <span className={styles.passageTitle}>{source.title}</span>
        {cited !== undefined && <Badge tone="accent">{t('debug.cited', { number: cited })}</Badge>}
        <span className={styles.bar} aria-hidden="true">
          <span style={{ inlineSize: `${Math.round(Math.min(1, Math.max(0, score)) * 100)}%` }} />
        </span>
        <span className={styles.score}>
          <span className={styles.hidden}>{t('debug.score')} </span>
          {score.toFixed(2)}
        </span>
      </summary>
      <div className={styles.passageText}>
        {headings.length > 0 && (
          <p className={styles.path}>
            {headings.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <Fragment key={at}>
                {at > 0 && ' › '}
                {line}
              </Fragment>
            ))}
          </p>
        )}
        <p>{text}</p>
      </div>
    </details>
  )
}

function Part({ title, open, children }: { title: string; open?: boolean; children: ReactNode }) {
  return (
    <details className={styles.part} open={open ?? false}>
      <summary>
        <ChevronRight size={13} className={styles.chevron} />
        {title}
      </summary>
      {children}
    </details>
  )
}
