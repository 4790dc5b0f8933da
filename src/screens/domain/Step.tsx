import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './domain.module.css'
import type { StepState } from './stateOfSteps'

interface StepProps {
  number: number
  state: StepState
  title: string
  description: string
  children: ReactNode
}

/** One thing that a domain needs, and how that stands. */
export function Step({ number, state, title, description, children }: StepProps) {
  const { t } = useTranslation('domain')
  return (
    <li className={styles.step} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
      <span className={styles.mark} aria-hidden="true">
        {state === 'done' ? <Check size={14} /> : state === 'wrong' ? <X size={14} /> : number}
      </span>
      <div className={styles.about}>
        <h3 className={styles.stepTitle}>
          {title} <span className={styles.state}>{t(`state.${state}`)}</span>
        </h3>
        <p className={styles.description}>{description}</p>
        {children}
      </div>
    </li>
  )
}
