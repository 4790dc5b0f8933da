import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { evaluationsQuery } from '../../api/evaluations'
import { EmptyState } from '../../ui/EmptyState'
import styles from './playground.module.css'

const SHOWN = 4

interface SuggestionsProps {
  pgid: string
  cgid: string
  icon: ReactNode
  onAsk: (question: string) => void
}

/** Shown before the first question: an explanation, and evaluation questions to start with. */
export function Suggestions({ pgid, cgid, icon, onAsk }: SuggestionsProps) {
  const { t } = useTranslation('playground')
  const { data } = useQuery(evaluationsQuery(pgid, cgid))
  const questions = (data?.questions ?? []).slice(0, SHOWN)
  return (
    <div className={styles.empty}>
      <EmptyState icon={icon} title={t('emptyTitle')} message={t('emptyMessage')} />
      {questions.length > 0 && (
        <ul className={styles.suggestions} aria-label={t('suggestions')}>
          {questions.map(({ gid, question }) => (
            <li key={gid}>
              <button type="button" onClick={() => onAsk(question)}>
                {question}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
