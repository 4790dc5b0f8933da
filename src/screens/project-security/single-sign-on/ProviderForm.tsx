import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type SignOn, saveSignOnBody } from '../../../../server/contracts/signOn'
import { ApiFailure, failureText } from '../../../api/failure'
import { useSignOnChanges } from '../../../api/signOn'
import { fieldErrors } from '../../../api/validate'
import { Button } from '../../../ui/Button'
import { notify } from '../../../ui/notify'
import { PasswordField } from '../../../ui/PasswordField'
import { TextField } from '../../../ui/TextField'
import { GroupRoles } from './GroupRoles'
import { RoleSelect } from './RoleSelect'
import styles from './singleSignOn.module.css'

type Connection = NonNullable<SignOn['connection']>
type Draft = Omit<Connection, 'required' | 'joining'>

const empty: Draft = { issuer: '', client_id: '', default_role: 6, role_claim: '', role_map: [] }

interface ProviderFormProps {
  pgid: string
  /** null: not set up */
  stored: Connection | null
  /** whether a directory may tell of groups, which give roles without a claim */
  hasDirectory: boolean
  mayChange: boolean
}

/** The provider, how Parley is known there, and which roles it gives. Saving asks the provider first. */
export function ProviderForm({ pgid, stored, hasDirectory, mayChange }: ProviderFormProps) {
  const { t } = useTranslation('signOn')
  const { t: common } = useTranslation()
  const { required: _, joining: __, ...known } = stored ?? { ...empty, required: false, joining: 'off' }
  const [draft, setDraft] = useState<Draft>(known)
  const [secret, setSecret] = useState('')
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const { save } = useSignOnChanges(pgid)
  const changed = secret !== '' || JSON.stringify(draft) !== JSON.stringify(known)
  const body = { ...draft, ...(secret !== '' && { client_secret: secret }) }
  const set = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part })
    setWrong({})
    save.reset()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!changed || !mayChange) return
    const fields = fieldErrors(saveSignOnBody, body)
    setWrong(fields)
    if (Object.keys(fields).length > 0) return
    save.mutate(body, {
      onSuccess: () => {
        setSecret('')
        notify.success(t('saved'))
      },
      onError: (error) => setWrong(error instanceof ApiFailure ? error.fields : {}),
    })
  }
  const isGeneral = save.error && Object.keys(wrong).length === 0
  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-label={t('provider')}>
      <TextField
        label={t('issuer')}
        description={t('issuerHint')}
        placeholder={t('issuerExample')}
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        readOnly={!mayChange}
        value={draft.issuer}
        error={wrong.issuer}
        onChange={(event) => set({ issuer: event.currentTarget.value })}
      />
      <div className={styles.pair}>
        <TextField
          label={t('clientId')}
          spellCheck={false}
          autoComplete="off"
          readOnly={!mayChange}
          value={draft.client_id}
          error={wrong.client_id}
          onChange={(event) => set({ client_id: event.currentTarget.value })}
        />
        {mayChange && (
          <PasswordField
            label={t('clientSecret')}
            autoComplete="new-password"
            placeholder={stored ? t('secretKept') : ''}
            revealLabel={common('actions.showPassword')}
            value={secret}
            error={wrong.client_secret}
            onChange={(event) => {
              setSecret(event.currentTarget.value)
              setWrong({})
            }}
          />
        )}
      </div>
      <div className={styles.pair}>
        <RoleSelect
          label={t('defaultRole')}
          description={t('defaultRoleHint')}
          readOnly={!mayChange}
          value={draft.default_role}
          onChange={(default_role) => set({ default_role })}
        />
        <TextField
          label={t('roleClaim')}
          description={t('roleClaimHint')}
          placeholder={t('roleClaimExample')}
          spellCheck={false}
          autoCapitalize="none"
          readOnly={!mayChange}
          value={draft.role_claim}
          error={wrong.role_claim}
          onChange={(event) => set({ role_claim: event.currentTarget.value })}
        />
      </div>
      {(hasDirectory || draft.role_claim.trim() !== '') && (
        <GroupRoles
          map={draft.role_map}
          wrong={wrong}
          mayChange={mayChange}
          onChange={(role_map) => set({ role_map })}
        />
      )}
      {isGeneral && (
        <p role="alert" className={styles.problem}>
          {failureText(save.error, common('errors.message'))}
        </p>
      )}
      {mayChange && (
        <div className={styles.actions}>
          <Button type="submit" design="primary" disabled={!changed} loading={save.isPending}>
            {t(stored ? 'checkAndSave' : 'checkAndConnect')}
          </Button>
          <span aria-live="polite" className={styles.muted}>
            {save.isPending && t('checking')}
          </span>
        </div>
      )}
    </form>
  )
}
