import { CalendarDays, Check, Paperclip, Star } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Offered } from '../../../../server/contracts/offered'
import { isWebAddress, outward } from './address'
import { chosenOf } from './chosenOf'
import styles from './content.module.css'

type Of<Input extends Offered['input']> = Extract<Offered, { input: Input }>

/**
 * What the visitor could press or fill in below a message: to be read, not to be pressed. @param said what they said
 * next; marks what was chosen
 */
export function Offer({ offered, said }: { offered: Offered; said: string | null }) {
  switch (offered.input) {
    case 'choice':
    case 'quick':
      return <Choices {...offered} said={said} />
    case 'rating':
      return <Rating {...offered} said={said} />
    case 'form':
      return <Form {...offered} />
    case 'date':
      return <DateOffer {...offered} />
    case 'file':
      return <FileOffer {...offered} />
  }
}

function Choices({ input, multiple, options, more, said }: Of<'choice' | 'quick'> & { said: string | null }) {
  const { t } = useTranslation('inbox')
  const chosen = chosenOf(options, said, multiple)
  const label = t(input === 'quick' ? 'shown.quick' : multiple ? 'shown.several' : 'shown.choices')
  return (
    <ul className={styles.choices} data-quick={input === 'quick' || undefined} aria-label={label}>
      {options.map((option, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was on offer never changes
        <li key={index} className={styles.option} data-chosen={chosen.has(index) || undefined}>
          {multiple && <span className={styles.box} aria-hidden data-on={chosen.has(index) || undefined} />}
          {option.url && isWebAddress(option.url) ? (
            <a href={option.url} {...outward}>
              {option.label}
            </a>
          ) : (
            <span>{option.label}</span>
          )}
          {chosen.has(index) && <Chosen />}
        </li>
      ))}
      {more !== undefined && <li className={styles.more}>{t('shown.more', { count: more })}</li>}
    </ul>
  )
}

function Chosen() {
  const { t } = useTranslation('inbox')
  return <Check size={13} role="img" aria-label={t('shown.chosen')} />
}

function Rating({ scale, options, said }: Of<'rating'> & { said: string | null }) {
  const { t } = useTranslation('inbox')
  const chosen = chosenOf(options, said, false)
  const [at] = chosen
  return (
    <ol className={styles.rating} data-scale={scale} aria-label={t('shown.rating')}>
      {options.map(({ label }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was on offer never changes
        <li key={index} className={styles.grade} title={label} data-chosen={chosen.has(index) || undefined}>
          {scale === 'emoji' ? (
            <Face mood={options.length > 1 ? (2 * index) / (options.length - 1) - 1 : 1} label={label} />
          ) : scale === 'stars' ? (
            <Star
              size={20}
              role="img"
              aria-label={label}
              fill={at !== undefined && index <= at ? 'currentColor' : 'none'}
            />
          ) : (
            label
          )}
          {chosen.has(index) && <span className={styles.unseen}>{t('shown.chosen')}</span>}
        </li>
      ))}
    </ol>
  )
}

/** The faces of the chat: from -1, the first of a scale, to 1, its last. */
const Face = ({ mood, label }: { mood: number; label: string }) => (
  <svg viewBox="0 0 32 32" width="26" height="26" role="img" aria-label={label}>
    <circle cx="16" cy="16" r="13" fill="none" stroke="currentColor" strokeWidth="2" />
    <circle cx="11.5" cy="13" r="1.7" fill="currentColor" />
    <circle cx="20.5" cy="13" r="1.7" fill="currentColor" />
    <path
      d={`M10 ${20.5 - mood * 1.8}Q16 ${20.5 + mood * 5.4} 22 ${20.5 - mood * 1.8}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
    />
  </svg>
)

function Form({ fields, submit, more }: Of<'form'>) {
  const { t } = useTranslation('inbox')
  return (
    <div className={styles.form}>
      <ul className={styles.fields} aria-label={t('shown.form')}>
        {fields.map((field, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was on offer never changes
          <li key={index} className={styles.entry}>
            {field.type !== 'checkbox' && <FieldLabel {...field} />}
            <FieldShape {...field} />
          </li>
        ))}
        {more !== undefined && <li className={styles.more}>{t('shown.more', { count: more })}</li>}
      </ul>
      <span className={styles.submit}>{submit || t('shown.send')}</span>
    </div>
  )
}

type FormField = Of<'form'>['fields'][number]

function FieldLabel({ label, required }: FormField) {
  const { t } = useTranslation('inbox')
  return (
    <span className={styles.fieldLabel}>
      {label}
      {required ? (
        <span className={styles.star}> *</span>
      ) : (
        <span className={styles.optional}> {t('shown.optional')}</span>
      )}
    </span>
  )
}

function FieldShape(field: FormField) {
  const { type, placeholder, choices } = field
  if (type === 'checkbox')
    return (
      <Box>
        <FieldLabel {...field} />
      </Box>
    )
  if (type === 'multiple')
    return choices.map((choice, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: what was on offer never changes
      <Box key={index}>{choice}</Box>
    ))
  if (type === 'select')
    return <span className={styles.field}>{[placeholder, ...choices].filter(Boolean).join(' · ')}</span>
  return (
    <span className={styles.field} data-long={type === 'long-text' || undefined}>
      {placeholder}
    </span>
  )
}

const Box = ({ children }: { children: ReactNode }) => (
  <span className={styles.boxed}>
    <span className={styles.box} aria-hidden /> {children}
  </span>
)

function DateOffer({ mode, range }: Of<'date'>) {
  const { t } = useTranslation('inbox')
  return (
    <p className={styles.asked}>
      <CalendarDays size={14} aria-hidden /> {t(`shown.date.${mode}`)}
      {range && ` · ${t('shown.range')}`}
    </p>
  )
}

function FileOffer({ accept, many }: Of<'file'>) {
  const { t } = useTranslation('inbox')
  return (
    <p className={styles.asked}>
      <Paperclip size={14} aria-hidden /> {t(many ? 'shown.files' : 'shown.file')}
      {accept.length > 0 && ` · ${accept.join(', ')}`}
    </p>
  )
}
