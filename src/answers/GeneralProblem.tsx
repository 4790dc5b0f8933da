import { useTranslation } from 'react-i18next'
import { failureText, fieldsOf } from '../api/failure'
import styles from './generalProblem.module.css'

/** An error that is not shown at a field. @param fields those on the screen */
export function GeneralProblem({ error, fields }: { error: Error | null; fields: readonly string[] }) {
  const { t } = useTranslation()
  const isAtField = Object.keys(fieldsOf(error)).some((field) => fields.includes(field.split('.')[0] ?? ''))
  if (!error || isAtField) return null
  return (
    <p role="alert" className={styles.alert}>
      {failureText(error, t('errors.message'))}
    </p>
  )
}
