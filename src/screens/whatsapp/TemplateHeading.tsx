import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TemplateDraft } from '../../../server/contracts/whatsappTemplates'
import { Button } from '../../ui/Button'
import { Select } from '../../ui/Select'
import { TextField } from '../../ui/TextField'
import styles from './templates.module.css'
import { useProjectUpload } from './useProjectUpload'

interface TemplateHeadingProps {
  pgid: string
  draft: Pick<TemplateDraft, 'header' | 'media'>
  /** what is wrong, by the names of fields */
  fields: Partial<Record<string, string>>
  onChange: (part: Pick<TemplateDraft, 'header' | 'media'>) => void
}

const KINDS = ['text', 'image', 'video', 'document'] as const
type Kind = (typeof KINDS)[number]
const isKind = (value: string | null): value is Kind => KINDS.some((kind) => kind === value)
/** What a template's heading may be (sheet of the vendor, "Media"). */
const ACCEPT = { image: 'image/jpeg,image/png', video: 'video/mp4', document: 'application/pdf' } as const

/** A template's heading: a text, or a file that WhatsApp sees as an example and each message replaces. */
export function TemplateHeading({ pgid, draft: { header, media }, fields, onChange }: TemplateHeadingProps) {
  const { t } = useTranslation('whatsapp')
  const input = useRef<HTMLInputElement>(null)
  const [kind, setKind] = useState<Kind>(media?.kind ?? 'text')
  const [name, setName] = useState('')
  const { sending, problem, send } = useProjectUpload(pgid)
  const choose = (value: string | null) => {
    if (!isKind(value)) return
    setKind(value)
    setName('')
    onChange({ header: '', media: value === 'text' ? null : { kind: value, file: '' } })
  }
  const error = problem ?? fields['media.file'] ?? fields.media
  return (
    <>
      <Select
        label={t('template.heading')}
        value={kind}
        allowDeselect={false}
        data={KINDS.map((value) => ({ value, label: t(`template.headings.${value}`) }))}
        onChange={choose}
      />
      {kind === 'text' ? (
        <TextField
          label={t('template.header')}
          value={header}
          maxLength={60}
          error={fields.header}
          onChange={(event) => onChange({ header: event.currentTarget.value, media: null })}
        />
      ) : (
        <div className={styles.file}>
          <Button size="s" icon={<FileUp size={14} />} loading={sending} onClick={() => input.current?.click()}>
            {t('template.choose')}
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            aria-label={t('template.file')}
            accept={ACCEPT[kind]}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              currentTarget.value = ''
              if (!file) return
              setName(file.name)
              void send(file, kind, (gid) => onChange({ header: '', media: { kind, file: gid } }))
            }}
          />
          <span className={styles.soft}>{name || t(`template.takes.${kind}`)}</span>
          <p className={styles.soft}>{t('template.fileHint')}</p>
          {error && (
            <p role="alert" className={styles.alert}>
              {error}
            </p>
          )}
        </div>
      )}
    </>
  )
}
