import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account'
import { failureText, fieldOr } from '../../api/failure'
import { allowedAddressesQuery, useAllowedAddressesChange } from '../../api/projects'
import { ROLE } from '../../api/roles'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import { TextField } from '../../ui/TextField'

/** From where members and API keys may open the project: visible to owners and admins, changed by owners. */
export function AllowedAddresses({ pgid }: { pgid: string }) {
  const { t } = useTranslation('security')
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery(allowedAddressesQuery(pgid))
  if (data) return <Form pgid={pgid} {...data} />
  return (
    <Card title={t('addresses.title')}>
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : (
        <LoadingState rows={1} />
      )}
    </Card>
  )
}

function Form({ pgid, addresses, own }: { pgid: string; addresses: string; own: string }) {
  const { t } = useTranslation('security')
  const { t: common } = useTranslation()
  const mayChange = useAccount().user.project_roles.includes(ROLE.OWNER)
  const [typed, setTyped] = useState(addresses)
  const change = useAllowedAddressesChange(pgid)
  const changed = typed.trim() !== addresses
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (changed) change.mutate(typed.trim(), { onSuccess: () => notify.success(t('addresses.saved')) })
  }
  return (
    <form onSubmit={submit}>
      <Card
        title={t('addresses.title')}
        description={t('addresses.description')}
        footer={
          mayChange && (
            <Button type="submit" design="primary" disabled={!changed} loading={change.isPending}>
              {common('actions.save')}
            </Button>
          )
        }
      >
        <TextField
          aria-label={t('addresses.label')}
          description={t('addresses.hint', { own })}
          placeholder={t('addresses.placeholder')}
          spellCheck={false}
          readOnly={!mayChange}
          value={typed}
          error={change.error ? fieldOr(change.error, 'addresses', common('errors.message')) : undefined}
          onChange={(event) => {
            change.reset()
            setTyped(event.currentTarget.value)
          }}
        />
      </Card>
    </form>
  )
}
