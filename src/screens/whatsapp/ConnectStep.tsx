import { CircleCheck } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/Button'
import styles from './whatsapp.module.css'

interface ConnectStepProps {
  number: number
  title: string
  about: string
  /** tries what was entered; `found`: what came of it */
  check: { run: () => void; busy: boolean; found: string | null }
  children: ReactNode
}

/** A step of connecting a number: what is needed, where it stands, and whether WhatsApp takes it. */
export function ConnectStep({ number, title, about, check, children }: ConnectStepProps) {
  const { t } = useTranslation('whatsapp')
  const heading = useId()
  return (
    <section className={styles.step} aria-labelledby={heading}>
      <header>
        <h3 id={heading} className={styles.stepTitle}>
          {t('steps.numbered', { number, title })}
        </h3>
        <p className={styles.note}>{about}</p>
      </header>
      {children}
      <div className={styles.checked}>
        <Button size="s" loading={check.busy} aria-label={t('steps.checkOf', { title })} onClick={check.run}>
          {t('steps.check')}
        </Button>
        <span role="status">
          {check.found !== null && (
            <span className={styles.found}>
              <CircleCheck size={14} aria-hidden /> {check.found}
            </span>
          )}
        </span>
      </div>
    </section>
  )
}
