import { MessagesSquare, X, Zap } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { EvaluationBody } from '../../server/contracts/evaluations'
import { IconButton } from '../ui/IconButton'
import styles from './evaluationDialog.module.css'

export type Kept = NonNullable<EvaluationBody['kept']>

interface KeptFromProps {
  kept: Kept
  onChange: (kept: Kept) => void
}

/** The recorded context of a question: the conversation before it, and results of actions. */
export function KeptFrom({ kept: { before, actions }, onChange }: KeptFromProps) {
  const { t } = useTranslation('answers')
  if (before.length + actions.length === 0) return null
  return (
    <section className={styles.kept} aria-label={t('evaluation.kept')}>
      <h3>{t('evaluation.kept')}</h3>
      <ul>
        {before.length > 0 && (
          <Row
            icon={<MessagesSquare size={14} />}
            remove={t('evaluation.alone')}
            onRemove={() => onChange({ before: [], actions })}
          >
            {t('evaluation.before', { count: before.length })}
          </Row>
        )}
        {actions.map(({ name, input }, at) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no other id, and only go
            key={at}
            icon={<Zap size={14} />}
            remove={t('evaluation.without', { name })}
            onRemove={() => onChange({ before, actions: actions.filter((_, index) => index !== at) })}
          >
            {name} <code>{JSON.stringify(input)}</code>
          </Row>
        ))}
      </ul>
      {actions.length > 0 && <p>{t('evaluation.replayed')}</p>}
    </section>
  )
}

interface RowProps {
  icon: ReactNode
  /** the button's label */
  remove: string
  onRemove: () => void
  children: ReactNode
}

const Row = ({ icon, remove, onRemove, children }: RowProps) => (
  <li>
    {icon}
    <span>{children}</span>
    <IconButton size="s" label={remove} icon={<X />} onClick={onRemove} />
  </li>
)
