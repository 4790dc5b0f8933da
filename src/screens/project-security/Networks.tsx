import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account'
import { failureText, fieldOr } from '../../api/failure'
import { networksQuery, useNetworksChange } from '../../api/projects'
import { ROLE } from '../../api/roles'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import { TextField } from '../../ui/TextField'

/** The private networks that the project may call: visible to owners and admins, changed by owners. */
export function Networks({ pgid }: { pgid: string }) {
  const { t } = useTranslation('security')
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery(networksQuery(pgid))
  return (
    <div id="networks">
      {data ? (
        <Form pgid={pgid} {...data} />
      ) : (
        <Card title={t('networks.title')}>
          {error ? (
            <ErrorCard
              message={failureText(error, common('errors.message'))}
              action={{ label: common('actions.retry'), onClick: () => void refetch() }}
            />
          ) : (
            <LoadingState rows={1} />
          )}
        </Card>
      )}
    </div>
  )
}

function Form({ pgid, networks, allowed }: { pgid: string; networks: string; allowed: boolean }) {
  const { t } = useTranslation('security')
  const { t: common } = useTranslation()
  const mayChange = useAccount().user.project_roles.includes(ROLE.OWNER) && allowed
  const [typed, setTyped] = useState(networks)
  const change = useNetworksChange(pgid)
  const changed = typed.trim() !== networks
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (changed) change.mutate(typed.trim(), { onSuccess: () => notify.success(t('networks.saved')) })
  }
  return (
    <form onSubmit={submit}>
      <Card
        title={t('networks.title')}
        description={allowed ? t('networks.description') : t('networks.denied')}
        footer={
          mayChange && (
            <Button type="submit" design="primary" disabled={!changed} loading={change.isPending}>
              {common('actions.save')}
            </Button>
          )
        }
      >
        <TextField
          aria-label={t('networks.label')}
          description={allowed ? t('networks.hint') : undefined}
          placeholder={t('networks.placeholder')}
          spellCheck={false}
          readOnly={!mayChange}
          value={typed}
          error={change.error ? fieldOr(change.error, 'networks', common('errors.message')) : undefined}
          onChange={(event) => {
            change.reset()
            setTyped(event.currentTarget.value)
          }}
        />
      </Card>
    </form>
  )
}
