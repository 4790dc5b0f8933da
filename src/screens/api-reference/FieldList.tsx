import { useTranslation } from 'react-i18next'
import styles from './apiReference.module.css'
import type { Field } from './schemas'
import { Words } from './Words'

/** The fields of a call or an answer, with those within them. */
export function FieldList({ title, fields }: { title: string; fields: readonly Field[] }) {
  const { t } = useTranslation('apiReference')
  return (
    <>
      <h4>{title}</h4>
      {fields.length === 0 ? <p className={styles.none}>{t('noFields')}</p> : <Fields fields={fields} />}
    </>
  )
}

function Fields({ fields }: { fields: readonly Field[] }) {
  const { t } = useTranslation('apiReference')
  return (
    <ul className={styles.fields}>
      {fields.map(({ name, type, required, description, fields: inner }) => (
        <li key={name}>
          <code className={styles.name}>{name}</code> <span className={styles.type}>{type}</span>
          {required && <span className={styles.required}>{t('required')}</span>}
          {description && <Words text={description} />}
          {inner.length > 0 && <Fields fields={inner} />}
        </li>
      ))}
    </ul>
  )
}
