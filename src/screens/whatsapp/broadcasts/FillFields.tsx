import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { contactFields } from '../../../../engine/values/contactFields'
import type { TemplatePlace } from '../../../../server/contracts/channelTemplates'
import { CUSTOM } from '../../../../server/contracts/contactFilter'
import type { Fill } from '../../../../server/contracts/whatsappBroadcasts'
import { contactFieldsQuery } from '../../../api/contactFields'
import { Select } from '../../../ui/Select'
import { TextField } from '../../../ui/TextField'
import styles from './broadcasts.module.css'

interface FillFieldsProps {
  pgid: string
  places: readonly TemplatePlace[]
  fills: readonly Fill[]
  errors: Partial<Record<string, string>>
  onChange: (fills: Fill[]) => void
}

const TEXT = 'text'

/** What fills each place of the template: a contact's field, or a text. */
export function FillFields({ pgid, places, fills, errors, onChange }: FillFieldsProps) {
  const { t } = useTranslation('whatsapp')
  const { t: contacts } = useTranslation('contacts')
  const { data } = useQuery(contactFieldsQuery(pgid))
  const offered = [
    { value: TEXT, label: t('broadcast.text') },
    ...contactFields.map((field) => ({ value: field, label: contacts(`fields.${field}`) })),
    ...(data?.fields ?? []).map(({ name }) => ({ value: `${CUSTOM}${name}`, label: name })),
  ]
  const put = (at: number, part: Partial<Fill>) =>
    onChange(fills.map((fill, each) => (each === at ? { ...fill, ...part } : fill)))
  return places.map(({ part, index, name }, at) => {
    const { field = '', text = '' } = fills[at] ?? {}
    const place = `{{${name}}}`
    return (
      <div key={`${part} ${index} ${name}`} className={styles.pair}>
        <Select
          label={t('broadcast.field', { place })}
          value={field || TEXT}
          allowDeselect={false}
          data={offered}
          error={errors[`fills.${at}.field`]}
          onChange={(value) => put(at, { field: value === TEXT || value === null ? '' : value })}
        />
        <TextField
          label={t(field === '' ? 'broadcast.value' : 'broadcast.instead', { place })}
          value={text}
          maxLength={1_000}
          error={errors[`fills.${at}.text`]}
          onChange={(event) => put(at, { text: event.currentTarget.value })}
        />
      </div>
    )
  })
}
