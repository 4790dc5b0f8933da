import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useParams } from 'react-router'
import type { ConnectionWay, FieldToFill, VendorList } from '../../../server/contracts/integrations'
import { failureText, fieldsOf } from '../../api/failure'
import { type Filled, useIntegrationChanges } from '../../api/integrations'
import { Button } from '../../ui/Button'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import { PasswordField } from '../../ui/PasswordField'
import { Segmented } from '../../ui/Segmented'
import { TextArea } from '../../ui/TextArea'
import { TextField } from '../../ui/TextField'
import styles from './integrations.module.css'

type Way = ConnectionWay | 'page'

/** Asks what a vendor wants to know before one is connected: by its page, or by a token or key that a person brings. */
export function ConnectDialog({ vendor, onClose }: { vendor: VendorList['vendors'][number]; onClose: () => void }) {
  const { t } = useTranslation('integrations')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const { pathname } = useLocation()
  const { connect, bring } = useIntegrationChanges(pgid)
  const ways: Way[] = [...(vendor.available ? (['page'] as const) : []), ...vendor.by_hand.map(({ way }) => way)]
  const [way, setWay] = useState<Way>(ways[0] ?? 'page')
  const [values, setValues] = useState<Filled>({})
  const fields = way === 'page' ? vendor.fields : (vendor.by_hand.find((each) => each.way === way)?.fields ?? [])
  const { error, reset } = way === 'page' ? connect : bring
  const problems = fieldsOf(error)
  const shown = fields.some(({ name }) => problems[`fields.${name}`] !== undefined)
  const nameOf = (each: Way) => (each === 'page' ? t('dialog.page', { vendor: vendor.name }) : t(`ways.${each}.name`))

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const filled = Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? '']))
    if (way === 'page') connect.mutate({ vendor: vendor.slug, returnTo: pathname, fields: filled })
    else
      bring.mutate(
        { vendor: vendor.slug, way, fields: filled },
        {
          onSuccess: ({ connection: { account } }) => {
            notify.success(t('callback.connected', { account }))
            onClose()
          },
        },
      )
  }
  return (
    <Modal opened onClose={onClose} title={t('dialog.title', { vendor: vendor.name })}>
      <form className={styles.form} noValidate onSubmit={submit}>
        {ways.length > 1 && (
          <Segmented
            label={t('dialog.way')}
            value={way}
            options={ways.map((value) => ({ value, label: nameOf(value) }))}
            onChange={(chosen) => {
              reset()
              setWay(chosen)
            }}
          />
        )}
        <ModalText>{way === 'page' ? t('dialog.pageHelp', { vendor: vendor.name }) : t(`ways.${way}.help`)}</ModalText>
        {fields.map((field) => (
          <Field
            key={`${way} ${field.name}`}
            field={field}
            value={values[field.name] ?? ''}
            problem={problems[`fields.${field.name}`]}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
        {way !== 'page' && <p className={styles.faint}>{t('dialog.trying')}</p>}
        {error && !shown && (
          <p className={styles.problem} role="alert">
            {failureText(error, common('errors.message'))}
          </p>
        )}
        <ModalActions>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button
            design="primary"
            type="submit"
            loading={way === 'page' ? connect.isPending || connect.isSuccess : bring.isPending}
          >
            {way === 'page' ? t('dialog.continue', { vendor: vendor.name }) : t('connect')}
          </Button>
        </ModalActions>
      </form>
    </Modal>
  )
}

interface FieldProps {
  field: FieldToFill
  value: string
  problem: string | undefined
  onChange: (value: string) => void
}

function Field({ field: { name, max, secret, long }, value, problem, onChange }: FieldProps) {
  const { t } = useTranslation('integrations')
  const props = {
    label: t(`fields.${name}.label`),
    description: t(`fields.${name}.help`) || undefined,
    error: problem,
    value,
    maxLength: max,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  if (long) return <TextArea {...props} minRows={4} spellCheck={false} />
  // without `maxLength`, which would cut a secret that is too long: the server says so
  if (secret)
    return <PasswordField {...props} maxLength={undefined} autoComplete="off" revealLabel={t('dialog.reveal')} />
  return <TextField {...props} spellCheck={false} />
}
