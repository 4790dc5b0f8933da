import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MailInboxSettings, MailInboxState } from '../../../server/contracts/mailInbox'
import { ApiFailure, failureText } from '../../api/failure'
import { useMailInbox } from '../../api/mailInbox'
import { formatSince } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { notify } from '../../ui/notify'
import { PasswordField } from '../../ui/PasswordField'
import { Segmented } from '../../ui/Segmented'
import { Switch } from '../../ui/Switch'
import { TextField } from '../../ui/TextField'
import styles from './mailInbox.module.css'

const blank: MailInboxSettings = {
  enabled: false,
  kind: 'imap',
  address: '',
  host: '',
  port: 993,
  username: '',
  folder: 'INBOX',
}

/** The mailbox that is read, or the address that a mail service passes mails on from. */
export function InboxForm({ pgid, state, readOnly }: { pgid: string; state: MailInboxState; readOnly: boolean }) {
  const { t } = useTranslation('mailInbox')
  const { t: common } = useTranslation()
  const saved = state.settings ?? blank
  const [draft, setDraft] = useState(saved)
  const [password, setPassword] = useState('')
  const { save, test } = useMailInbox(pgid)
  const changed = JSON.stringify(draft) !== JSON.stringify(saved) || password !== ''
  const refused = [save.error, test.error].flatMap((error) =>
    error instanceof ApiFailure ? Object.entries(error.fields) : [],
  )
  const wrong = Object.fromEntries(refused.map(([path, message]) => [path.replace(/^settings\./, ''), message]))
  const failed = refused.length === 0 ? (save.error ?? test.error) : null
  const edit = (part: Partial<MailInboxSettings>) => {
    save.reset()
    test.reset()
    setDraft({ ...draft, ...part })
  }
  const text = (name: 'address' | 'host' | 'username' | 'folder') => (
    <TextField
      label={t(`fields.${name}`)}
      description={name === 'address' ? t('fields.addressHint') : undefined}
      value={draft[name]}
      spellCheck={false}
      readOnly={readOnly}
      error={wrong[name]}
      onChange={(event) => edit({ [name]: event.currentTarget.value })}
    />
  )
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (changed)
      save.mutate(
        { settings: draft, ...(password && { password }) },
        {
          onSuccess: ({ settings }) => {
            if (settings) setDraft(settings)
            setPassword('')
            notify.success(t('saved'))
          },
        },
      )
  }
  return (
    <form onSubmit={submit}>
      <Card
        title={t('form.title')}
        description={t('form.description')}
        actions={
          <Switch
            aria-label={t('form.enabled')}
            checked={draft.enabled}
            disabled={readOnly}
            onChange={(event) => edit({ enabled: event.currentTarget.checked })}
          />
        }
        footer={
          !readOnly && (
            <>
              {state.settings && !changed && (
                <Button
                  loading={test.isPending}
                  onClick={() => test.mutate(undefined, { onSuccess: () => notify.success(t('tested')) })}
                >
                  {t('test')}
                </Button>
              )}
              <Button type="submit" design="primary" disabled={!changed} loading={save.isPending}>
                {common('actions.save')}
              </Button>
            </>
          )
        }
      >
        <div className={styles.fields}>
          <fieldset className={styles.plain} disabled={readOnly}>
            <Segmented
              label={t('kinds.label')}
              value={draft.kind}
              options={(['imap', 'webhook'] as const).map((value) => ({ value, label: t(`kinds.${value}`) }))}
              onChange={(kind) => edit({ kind })}
            />
          </fieldset>
          {text('address')}
          {draft.kind === 'imap' && (
            <>
              <div className={styles.pair}>
                {text('host')}
                <TextField
                  type="number"
                  min={1}
                  max={65_535}
                  label={t('fields.port')}
                  value={Number.isNaN(draft.port) ? '' : draft.port}
                  readOnly={readOnly}
                  error={wrong.port}
                  onChange={(event) => edit({ port: event.currentTarget.valueAsNumber })}
                />
              </div>
              {text('username')}
              {!readOnly && (
                <PasswordField
                  label={t('fields.password')}
                  revealLabel={t('fields.reveal')}
                  description={state.has_password ? t('fields.passwordKept') : undefined}
                  autoComplete="off"
                  maxLength={500}
                  value={password}
                  error={wrong.password}
                  onChange={(event) => {
                    save.reset()
                    setPassword(event.currentTarget.value)
                  }}
                />
              )}
              {text('folder')}
            </>
          )}
          {state.problem && (
            <p role="alert" className={styles.alert}>
              {state.problem}
            </p>
          )}
          {failed && (
            <p role="alert" className={styles.alert}>
              {failureText(failed, common('errors.message'))}
            </p>
          )}
          {state.checked_at && <p className={styles.note}>{t('checked', { when: formatSince(state.checked_at) })}</p>}
        </div>
      </Card>
    </form>
  )
}
