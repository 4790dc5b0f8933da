import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Domain } from '../../../server/contracts/domains'
import styles from './domain.module.css'

interface ProblemProps {
  problem: NonNullable<Domain['problem']>
  domain: Pick<Domain, 'hostname' | 'ownership_verification' | 'ssl_verification'>
}

/** What is wrong in plain words, what puts it right, and what a server said. */
export function Problem({ problem: { code, detail }, domain }: ProblemProps) {
  const { t } = useTranslation('domain')
  const words = {
    hostname: domain.hostname,
    name: domain.ownership_verification.name,
    type: domain.ssl_verification.type,
    value: domain.ssl_verification.value,
  }
  return (
    <div className={styles.problem} role="status">
      <TriangleAlert size={15} aria-hidden />
      <div>
        <p className={styles.what}>{t(`problem.${code}`, words)}</p>
        <p>{t(`remedy.${code}`, words)}</p>
        {detail !== '' && <p className={styles.detail}>{t('detail', { text: detail })}</p>}
      </div>
    </div>
  )
}
