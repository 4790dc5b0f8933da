import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedTemplate, Template } from '../../server/contracts/templates'
import { failureText } from '../api/failure'
import { templateQuery } from '../api/templates'
import { Badge } from '../ui/Badge'
import { Button } from '../ui/Button'
import { ErrorCard } from '../ui/ErrorCard'
import { LoadingState } from '../ui/LoadingState'
import { FlowPlan } from './FlowPicture'
import styles from './templates.module.css'

/** A template in detail: its flow, a conversation, and the remaining steps. */
export function TemplateDetail({ listed, onBack }: { listed: ListedTemplate; onBack: () => void }) {
  const { t } = useTranslation('templates')
  const { t: common } = useTranslation()
  const heading = useRef<HTMLHeadingElement>(null)
  const { data, error, refetch } = useQuery(templateQuery(listed.slug))
  // the focused card is gone
  useEffect(() => heading.current?.focus(), [])
  const { title, description, category, tags, blocks, tests, sketch } = listed
  return (
    <div className={styles.detail}>
      <Button design="ghost" size="s" icon={<ArrowLeft />} className={styles.back} onClick={onBack}>
        {t('back')}
      </Button>
      <div>
        <h2 ref={heading} tabIndex={-1} className={styles.heading}>
          {title}
        </h2>
        <p className={styles.lead}>{description}</p>
        <p className={styles.tags}>
          <Badge tone="accent">{t(`categories.${category}`)}</Badge>
          {tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
          <span className={styles.facts}>
            {t('blocks', { count: blocks })} · {t('groups', { count: sketch.groups.length })}
            {tests > 0 && ` · ${t('tests', { count: tests })}`}
          </span>
        </p>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by keys */}
      <section className={styles.plan} aria-label={t('plan', { title })} tabIndex={0}>
        <FlowPlan sketch={sketch} />
        <ul className={styles.hidden}>
          {sketch.groups.map((group) => (
            <li key={group.id}>{group.title}</li>
          ))}
        </ul>
      </section>
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : data ? (
        <About template={data} />
      ) : (
        <LoadingState rows={2} height={120} />
      )}
    </div>
  )
}

function About({ template: { setup, flows, conversation } }: { template: Template }) {
  const { t } = useTranslation('templates')
  return (
    <div className={styles.about}>
      <section>
        <h3>{t('setup')}</h3>
        <ol className={styles.setup}>
          {setup.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        {flows.length > 0 && <p className={styles.more}>{t('flows', { titles: flows.join(', ') })}</p>}
      </section>
      <section>
        <h3>{t('conversation')}</h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by keys */}
        <ol className={styles.conversation} tabIndex={0} aria-label={t('conversation')}>
          {conversation.map(({ from, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what was said is said
            <li key={index} data-from={from}>
              <span className={styles.hidden}>{t(from)}: </span>
              {text}
            </li>
          ))}
        </ol>
      </section>
    </div>
  )
}
