import { useQuery } from '@tanstack/react-query'
import { Lock, Plus, RefreshCw, Trash2 } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { secretCaps } from '../../../engine/values/secrets'
import type { ProjectSecret } from '../../../server/contracts/secrets'
import { useCan } from '../../api/account'
import { failureText, fieldOr } from '../../api/failure'
import { secretsQuery, secretUsesQuery, useSecretChanges, useSecretCreation } from '../../api/secrets'
import { usedIn, usedInFlows, usedInLists } from '../../api/uses'
import { formatMoment, formatSince } from '../../i18n/format'
import { SecretForm } from '../../text/SecretForm'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { IconButton } from '../../ui/IconButton'
import { LoadingState } from '../../ui/LoadingState'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import { PageHeader } from '../../ui/PageHeader'
import { PasswordField } from '../../ui/PasswordField'
import styles from './secrets.module.css'

type Asking = 'create' | { replace: ProjectSecret } | { remove: ProjectSecret } | null

/** /projects/:pgid/settings/project/secrets: secrets for HTTP requests, which nobody can read back. */
export function SecretsScreen() {
  const { t } = useTranslation('secrets')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const mayChange = useCan('builder.update')
  const { data, error, refetch } = useQuery(secretsQuery(pgid))
  const { data: uses } = useQuery(secretUsesQuery(pgid))
  const { remove } = useSecretChanges(pgid)
  const create = useSecretCreation(pgid)
  const [asking, setAsking] = useState<Asking>(null)
  const close = () => {
    setAsking(null)
    remove.reset()
  }
  const usesOf = ({ name }: ProjectSecret) => uses?.[name] ?? []
  function whatEnds(secret: ProjectSecret): string {
    const [flows, lists] = [usedInFlows(usesOf(secret)), usedInLists(usesOf(secret))]
    const parts = [flows && t('remove.used', { flows }), lists && t('remove.followed', { lists })].filter(Boolean)
    return parts.length > 0 ? parts.join(' ') : t('remove.unused')
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          mayChange && (
            <Button design="primary" icon={<Plus />} onClick={() => setAsking('create')}>
              {t('create')}
            </Button>
          )
        }
      />
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !data ? (
        <LoadingState rows={3} height={56} />
      ) : data.length === 0 ? (
        <EmptyState icon={<Lock />} title={t('emptyTitle')} message={t('emptyMessage')} />
      ) : (
        <Card flush>
          <ul className={styles.list} aria-label={t('title')}>
            {data.map((secret) => (
              <li key={secret.gid} className={styles.row}>
                <div className={styles.about}>
                  <code className={styles.name}>{secret.name}</code>
                  <span className={styles.faint} title={formatMoment(secret.changed_at)}>
                    {t(secret.changed_by ? 'changedBy' : 'changed', {
                      when: formatSince(secret.changed_at),
                      name: secret.changed_by,
                    })}
                  </span>
                  {uses && (
                    <span className={styles.faint}>
                      {usesOf(secret).length > 0 ? t('used', { flows: usedIn(usesOf(secret)) }) : t('unused')}
                    </span>
                  )}
                </div>
                <code className={styles.dots} role="img" aria-label={t('hidden')}>
                  ••••••••
                </code>
                {mayChange && (
                  <div className={styles.actions}>
                    <IconButton
                      size="s"
                      label={t('replace', { name: secret.name })}
                      icon={<RefreshCw />}
                      onClick={() => setAsking({ replace: secret })}
                    />
                    <IconButton
                      size="s"
                      label={t('delete', { name: secret.name })}
                      icon={<Trash2 />}
                      onClick={() => setAsking({ remove: secret })}
                    />
                  </div>
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Modal opened={asking === 'create'} onClose={close} title={t('create')}>
        <SecretForm inDialog create={create} onMade={close} onCancel={close} />
      </Modal>
      {asking !== null && asking !== 'create' && 'replace' in asking && (
        <Replace pgid={pgid} secret={asking.replace} onClose={close} />
      )}
      {asking !== null && asking !== 'create' && 'remove' in asking && (
        <ConfirmDialog
          opened
          danger
          title={t('remove.title', { name: asking.remove.name })}
          message={whatEnds(asking.remove)}
          confirm={t('remove.confirm')}
          loading={remove.isPending}
          error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
          onConfirm={() => remove.mutate(asking.remove.gid, { onSuccess: close })}
          onClose={close}
        />
      )}
    </>
  )
}

function Replace({ pgid, secret, onClose }: { pgid: string; secret: ProjectSecret; onClose: () => void }) {
  const { t } = useTranslation(['secrets', 'text'])
  const { t: common } = useTranslation()
  const { replace } = useSecretChanges(pgid)
  const [value, setValue] = useState('')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (value.trim() === '') return
    replace.mutate(
      { gid: secret.gid, value },
      {
        onSuccess: () => {
          notify.success(t('replaced', { name: secret.name }))
          onClose()
        },
      },
    )
  }
  return (
    <Modal opened onClose={onClose} title={t('replace', { name: secret.name })}>
      <form onSubmit={submit}>
        <ModalText>{t('replaceHint')}</ModalText>
        <PasswordField
          className={styles.value}
          label={t('text:secrets.value')}
          revealLabel={t('text:secrets.reveal')}
          autoComplete="off"
          maxLength={secretCaps.value}
          value={value}
          error={replace.error ? fieldOr(replace.error, 'value', common('errors.message')) : undefined}
          onChange={(event) => setValue(event.currentTarget.value)}
          data-autofocus
        />
        <ModalActions>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button type="submit" design="primary" disabled={value.trim() === ''} loading={replace.isPending}>
            {common('actions.save')}
          </Button>
        </ModalActions>
      </form>
    </Modal>
  )
}
