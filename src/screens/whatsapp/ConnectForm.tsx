import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WhatsappConnection, WhatsappKeys } from '../../../server/contracts/whatsapp'
import { ApiFailure, failureText } from '../../api/failure'
import { type ChatbotPlace, useWhatsappChanges, useWhatsappTry } from '../../api/whatsapp'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { notify } from '../../ui/notify'
import { PasswordField } from '../../ui/PasswordField'
import { TextField } from '../../ui/TextField'
import { ConnectStep } from './ConnectStep'
import styles from './whatsapp.module.css'

const GUIDE = 'https://developers.facebook.com/apps'

interface ConnectFormProps {
  place: ChatbotPlace
  /** values of the sandbox; null elsewhere */
  example: WhatsappKeys | null
  /** the one that has to be connected again */
  connection: WhatsappConnection | null
}

/** What Meta's pages show of an app and a number, step by step. Each value is tried at WhatsApp. */
export function ConnectForm({ place, example, connection }: ConnectFormProps) {
  const { t } = useTranslation('whatsapp')
  const { t: common } = useTranslation()
  const [draft, setDraft] = useState<WhatsappKeys>({
    app_id: connection?.app_id ?? '',
    app_secret: '',
    business_id: connection?.business_id ?? '',
    number_id: connection?.number_id ?? '',
    token: '',
    pin: '',
  })
  const { connect } = useWhatsappChanges(place)
  const app = useWhatsappTry(place)
  const number = useWhatsappTry(place)
  const registration = useWhatsappTry(place)
  const errors = [connect.error, app.error, number.error, registration.error]
  const wrong: Partial<Record<string, string>> = Object.assign({}, ...errors.map(fieldsOf))
  const failed = errors.find((error) => error && Object.keys(fieldsOf(error)).length === 0)
  const edit = (name: keyof WhatsappKeys, value: string) => {
    connect.reset()
    if (name === 'app_id' || name === 'app_secret' || name === 'token') app.reset()
    if (name !== 'app_id' && name !== 'app_secret' && name !== 'pin') number.reset()
    if (name === 'token' || name === 'number_id' || name === 'pin') registration.reset()
    setDraft({ ...draft, [name]: value })
  }
  const fill = (values: WhatsappKeys) => {
    for (const each of [connect, app, number, registration]) each.reset()
    setDraft(values)
  }
  const { app_id, app_secret, token, business_id, number_id, pin } = draft
  const known = (found: string | undefined) => (found === undefined ? null : t('steps.found', { found }))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    connect.mutate(draft, {
      onSuccess: (state) => notify.success(t('connected.done', { number: state.connection?.phone_number })),
    })
  }
  const field = (name: keyof WhatsappKeys, secret = false) => {
    const shared = {
      label: t(`fields.${name}`),
      description: t(`fields.${name}Hint`),
      value: draft[name],
      error: wrong[name],
      spellCheck: false,
      autoComplete: 'off',
    }
    return secret ? (
      <PasswordField
        {...shared}
        revealLabel={t('fields.reveal')}
        maxLength={1_000}
        onChange={(event) => edit(name, event.currentTarget.value)}
      />
    ) : (
      <TextField {...shared} onChange={(event) => edit(name, event.currentTarget.value)} />
    )
  }
  return (
    <form onSubmit={submit} noValidate>
      <Card
        title={t('connect.title')}
        description={t('connect.description')}
        footer={
          <>
            {example && <Button onClick={() => fill(example)}>{t('connect.fill')}</Button>}
            <Button type="submit" design="primary" loading={connect.isPending}>
              {t(connection ? 'connect.again' : 'connect.submit')}
            </Button>
          </>
        }
      >
        <div className={styles.fields}>
          <p className={styles.note}>
            <a href={GUIDE} target="_blank" rel="noreferrer">
              {t('connect.guide')}
            </a>
          </p>
          <ConnectStep
            number={1}
            title={t('steps.app')}
            about={t('steps.appAbout')}
            check={{
              run: () => app.mutate({ step: 'app', app_id, app_secret, token }),
              busy: app.isPending,
              found: known(app.data?.found),
            }}
          >
            <div className={styles.pair}>
              {field('app_id')}
              {field('app_secret', true)}
            </div>
            {field('token', true)}
          </ConnectStep>
          <ConnectStep
            number={2}
            title={t('steps.number')}
            about={t('steps.numberAbout')}
            check={{
              run: () => number.mutate({ step: 'number', token, business_id, number_id }),
              busy: number.isPending,
              found: known(number.data?.found),
            }}
          >
            <div className={styles.pair}>
              {field('business_id')}
              {field('number_id')}
            </div>
          </ConnectStep>
          <ConnectStep
            number={3}
            title={t('steps.pin')}
            about={t('steps.pinAbout')}
            check={{
              run: () => registration.mutate({ step: 'pin', token, number_id, pin }),
              busy: registration.isPending,
              found: registration.data ? t('steps.registered', { number: registration.data.found }) : null,
            }}
          >
            <div className={styles.short}>{field('pin')}</div>
          </ConnectStep>
          {failed && (
            <p role="alert" className={styles.alert}>
              {failureText(failed, common('errors.message'))}
            </p>
          )}
        </div>
      </Card>
    </form>
  )
}

const fieldsOf = (error: unknown): Partial<Record<string, string>> => (error instanceof ApiFailure ? error.fields : {})
