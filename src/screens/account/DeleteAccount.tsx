import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountDeletion } from '../../../server/contracts/profile'
import { resetAccount } from '../../api/account'
import { failureText, fieldOr } from '../../api/failure'
import { deletionQuery, useProfileChanges } from '../../api/profile'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { Modal } from '../../ui/Modal'
import { PasswordField } from '../../ui/PasswordField'
import styles from './account.module.css'

/** Deletes the account, after showing what happens to its projects. */
export function DeleteAccount() {
  const { t } = useTranslation('account')
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Card
        tone="danger"
        title={t('delete.title')}
        description={t('delete.description')}
        actions={
          <Button design="danger" onClick={() => setAsking(true)}>
            {t('delete.open')}
          </Button>
        }
      />
      <Modal opened={asking} onClose={() => setAsking(false)} title={t('delete.title')}>
        {asking && <Ask onClose={() => setAsking(false)} />}
      </Modal>
    </>
  )
}

function Ask({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery(deletionQuery)
  const [current, setCurrent] = useState('')
  const { remove } = useProfileChanges()
  if (!data)
    return error ? (
      <ErrorCard
        message={failureText(error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void refetch() }}
      />
    ) : (
      <LoadingState rows={2} />
    )
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (current === '') return
    remove.mutate(current, {
      onSuccess: () => {
        resetAccount('all')
        // a full page load clears the account's state
        window.location.assign('/login')
      },
    })
  }
  return (
    <form className={styles.fields} onSubmit={submit} noValidate>
      <Fate what={data} />
      {data.blocked.length === 0 && (
        <PasswordField
          revealLabel={common('actions.showPassword')}
          label={t('password.current')}
          autoComplete="current-password"
          data-autofocus
          value={current}
          error={remove.error ? fieldOr(remove.error, 'current', common('errors.message')) : undefined}
          onChange={(event) => {
            remove.reset()
            setCurrent(event.currentTarget.value)
          }}
        />
      )}
      <div className={styles.actions}>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button
          type="submit"
          design="danger"
          disabled={current === '' || data.blocked.length > 0}
          loading={remove.isPending}
        >
          {t('delete.submit')}
        </Button>
      </div>
    </form>
  )
}

/** What happens to the projects. */
function Fate({ what }: { what: AccountDeletion }) {
  const { t } = useTranslation('account')
  return (
    <dl className={styles.fates}>
      {(['blocked', 'deleted', 'left'] as const).map(
        (fate) =>
          what[fate].length > 0 && (
            <div key={fate} data-fate={fate}>
              <dt>{t(`delete.${fate}`)}</dt>
              <dd>{what[fate].map(({ name }) => name).join(', ')}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
