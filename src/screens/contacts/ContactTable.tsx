import { useTranslation } from 'react-i18next'
import { urlRule } from '../../../engine/values/rules'
import type { ContactEntry } from '../../../server/contracts/contacts'
import type { CustomField } from '../../../server/contracts/customFields'
import { formatMoment, formatSince } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Card } from '../../ui/Card'
import styles from './contacts.module.css'

interface ContactTableProps {
  contacts: readonly ContactEntry[]
  /** own fields that are columns */
  own: readonly CustomField[]
  onOpen: (gid: string) => void
}

/** Contacts as rows; own fields that members chose are columns. */
export function ContactTable({ contacts, own, onOpen }: ContactTableProps) {
  const { t } = useTranslation('contacts')
  return (
    <Card flush>
      <section className={styles.scroll} aria-label={t('title')}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('fields.name')}</th>
              <th scope="col">{t('fields.email')}</th>
              <th scope="col">{t('fields.phone')}</th>
              {own.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
              <th scope="col">{t('tags')}</th>
              <th scope="col">{t('created')}</th>
            </tr>
          </thead>
          <tbody>
            {contacts.map(({ gid, fields, custom, tags, blocked, verified_id, test, sample, created_at }) => (
              <tr key={gid}>
                <td>
                  <button type="button" className={styles.open} onClick={() => onOpen(gid)}>
                    {fields.name || fields.user_id || t('unknown')}
                  </button>{' '}
                  {test && <Badge tone="warning">{t(sample ? 'sample' : 'test')}</Badge>}
                  {verified_id !== null && <Badge tone="success">{t('verified')}</Badge>}
                  {blocked && <Badge tone="danger">{t('blocked')}</Badge>}
                </td>
                <td>{fields.email}</td>
                <td>{fields.phone}</td>
                {own.map(({ name, type }) => (
                  <td key={name}>
                    <OwnValue type={type} value={custom[name] ?? ''} />
                  </td>
                ))}
                <td>
                  {tags.map((tag) => (
                    <Badge key={tag}>{tag}</Badge>
                  ))}
                </td>
                <td>
                  <time dateTime={created_at} title={formatMoment(created_at)}>
                    {formatSince(created_at)}
                  </time>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  )
}

function OwnValue({ type, value }: { type: CustomField['type']; value: string }) {
  const { t } = useTranslation('contacts')
  if (type === 'boolean' && (value === 'true' || value === 'false')) return t(`yesNo.${value}`)
  if (type === 'url' && urlRule.test(value))
    return (
      <a href={value} target="_blank" rel="noreferrer noopener">
        {value}
      </a>
    )
  return value
}
