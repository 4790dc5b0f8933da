import { ExternalLink, Headset } from 'lucide-react'
import { type SubmitEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerShownPart } from '../../engine/flow/answerParts'
import { Button } from '../ui/Button'
import { TextField } from '../ui/TextField'
import styles from './answerParts.module.css'

/** What a visitor is shown because the model used an action, as testers see it: nothing is stored. */
export function AnswerParts({ parts }: { parts: readonly AnswerShownPart[] }) {
  return (
    <div className={styles.parts}>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a record that never changes
        <Part key={at} part={part} />
      ))}
    </div>
  )
}

function Part({ part }: { part: AnswerShownPart }) {
  switch (part.type) {
    case 'buttons':
      return (
        <div>
          {part.text && <p>{part.text}</p>}
          <div className={styles.links}>
            {part.buttons.map(({ label, url }) => (
              <PartLink key={`${label} ${url}`} label={label} url={url} />
            ))}
          </div>
        </div>
      )
    case 'booking':
      return (
        <div className={styles.links}>
          <PartLink label={part.label} url={part.url} />
        </div>
      )
    case 'hand-off':
      return <HandOff message={part.message} />
    case 'lead-form':
      return <LeadForm part={part} />
  }
}

const PartLink = ({ label, url }: { label: string; url: string }) => (
  <a className={styles.link} href={url} target="_blank" rel="noreferrer nofollow">
    {label} <ExternalLink size={13} aria-hidden />
  </a>
)

function HandOff({ message }: { message: string }) {
  const { t } = useTranslation('answerParts')
  return (
    <p className={styles.handOff}>
      <Headset size={14} aria-hidden /> <span>{message || t('handOff')}</span>
    </p>
  )
}

/** The form as visitors see it; sending it shows what would be stored. */
function LeadForm({ part }: { part: Extract<AnswerShownPart, { type: 'lead-form' }> }) {
  const { t } = useTranslation('answerParts')
  const id = useId()
  const [values, setValues] = useState(() => part.fields.map(({ value }) => value))
  const [tried, setTried] = useState(false)
  const [sent, setSent] = useState(false)
  const labels = part.fields.map(({ field, label }) => label ?? t(`field.${field}`))
  const missing = part.fields.map(({ required }, at) => required && (values[at] ?? '').trim() === '')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    setSent(!missing.includes(true))
  }
  if (sent) {
    const filled = labels.flatMap((label, at) => (values[at]?.trim() ? [[label, values[at].trim()] as const] : []))
    return (
      <div className={styles.form}>
        {part.thanks && <p>{part.thanks}</p>}
        <p className={styles.note}>{t('stored')}</p>
        <dl className={styles.stored}>
          {filled.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <Button size="s" onClick={() => setSent(false)}>
          {t('again')}
        </Button>
      </div>
    )
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-labelledby={id}>
      <p id={id} className={styles.title}>
        {part.title || t('form')}
      </p>
      {part.fields.map(({ field, required }, at) => (
        <TextField
          key={field}
          label={required ? labels[at] : t('optional', { label: labels[at] })}
          withAsterisk={required}
          value={values[at] ?? ''}
          error={tried && missing[at] ? t('required') : undefined}
          onChange={(event) => setValues(values.with(at, event.currentTarget.value))}
        />
      ))}
      <div>
        <Button type="submit" size="s" design="primary">
          {part.submit_label}
        </Button>
      </div>
    </form>
  )
}
