import { useTranslation } from 'react-i18next'
import styles from './text.module.css'

/** How much of a cap is used. Muted below four fifths; only text counts, not chips (SPEC.md 5). */
export function CharacterCount({ length, max }: { length: number; max: number }) {
  const { t } = useTranslation('text')
  return (
    <span className={styles.count} data-near={length > max * 0.8 || undefined} data-over={length > max || undefined}>
      {t('count', { length, max })}
    </span>
  )
}
