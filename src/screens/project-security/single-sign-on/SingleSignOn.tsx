import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Joining, joinings, type SignOn } from '../../../../server/contracts/signOn'
import { useAccount } from '../../../api/account'
import { failureText } from '../../../api/failure'
import { ROLE } from '../../../api/roles'
import { signOnQuery, useSignOnChanges } from '../../../api/signOn'
import { Badge } from '../../../ui/Badge'
import { Button } from '../../../ui/Button'
import { Card } from '../../../ui/Card'
import { ConfirmDialog } from '../../../ui/ConfirmDialog'
import { CopyField } from '../../../ui/CopyField'
import { ErrorCard } from '../../../ui/ErrorCard'
import { LoadingState } from '../../../ui/LoadingState'
import { notify } from '../../../ui/notify'
import { Select } from '../../../ui/Select'
import { Switch } from '../../../ui/Switch'
import { Directory } from './Directory'
import { EmailDomains } from './EmailDomains'
import { ProviderForm } from './ProviderForm'
import styles from './singleSignOn.module.css'

/** How members come in by their organisation's identity provider: seen by owners and admins, changed by owners. */
export function SingleSignOn({ pgid }: { pgid: string }) {
  const { t } = useTranslation('signOn')
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery(signOnQuery(pgid))
  return (
    <div id="single-sign-on">
      {data ? (
        <Settings pgid={pgid} signOn={data} />
      ) : (
        <Card title={t('title')} description={t('description')}>
          {error ? (
            <ErrorCard
              message={failureText(error, common('errors.message'))}
              action={{ label: common('actions.retry'), onClick: () => void refetch() }}
            />
          ) : (
            <LoadingState rows={3} />
          )}
        </Card>
      )}
    </div>
  )
}

function Settings({ pgid, signOn }: { pgid: string; signOn: SignOn }) {
  const { t } = useTranslation('signOn')
  const mayChange = useAccount().user.project_roles.includes(ROLE.OWNER)
  const { connection, domains, redirect_address } = signOn
  const isReady = connection !== null && domains.some(({ proven }) => proven)
  const state = connection === null ? 'none' : isReady ? 'connected' : 'unproven'
  return (
    <Card
      title={t('title')}
      description={t('description')}
      actions={
        <Badge dot tone={state === 'connected' ? 'success' : state === 'unproven' ? 'warning' : 'neutral'}>
          {t(`state.${state}`)}
        </Badge>
      }
    >
      <div className={styles.parts}>
        <CopyField label={t('redirect')} value={redirect_address} />
        <ProviderForm
          key={`${connection?.issuer} ${connection?.client_id}`}
          pgid={pgid}
          stored={connection}
          hasDirectory={signOn.scim !== null}
          mayChange={mayChange}
        />
        <EmailDomains pgid={pgid} domains={domains} mayChange={mayChange} />
        {connection && <Requirement pgid={pgid} required={connection.required} mayChange={mayChange && isReady} />}
        <Directory pgid={pgid} signOn={signOn} mayChange={mayChange} />
        {connection && <JoiningChoice pgid={pgid} joining={connection.joining} mayChange={mayChange && isReady} />}
        {connection && mayChange && <TurnOff pgid={pgid} />}
      </div>
    </Card>
  )
}

function Requirement({ pgid, required, mayChange }: { pgid: string; required: boolean; mayChange: boolean }) {
  const { t } = useTranslation('signOn')
  const { t: common } = useTranslation()
  const { require } = useSignOnChanges(pgid)
  const [asking, setAsking] = useState(false)
  const change = (wanted: boolean) =>
    require.mutate(wanted, {
      onSuccess: () => {
        setAsking(false)
        notify.success(t(wanted ? 'required.on' : 'required.off'))
      },
      onError: (error) => !wanted && notify.error(failureText(error, common('errors.message'))),
    })
  return (
    <>
      <Switch
        label={t('required.label')}
        description={t('required.hint')}
        checked={required}
        disabled={!mayChange || require.isPending}
        onChange={(event) => (event.currentTarget.checked ? setAsking(true) : change(false))}
      />
      <ConfirmDialog
        opened={asking}
        title={t('required.askTitle')}
        message={t('required.ask')}
        confirm={t('required.confirm')}
        loading={require.isPending}
        error={require.error ? failureText(require.error, common('errors.message')) : undefined}
        onConfirm={() => change(true)}
        onClose={() => {
          require.reset()
          setAsking(false)
        }}
      />
    </>
  )
}

function JoiningChoice({ pgid, joining, mayChange }: { pgid: string; joining: Joining; mayChange: boolean }) {
  const { t } = useTranslation('signOn')
  const { t: common } = useTranslation()
  const { join } = useSignOnChanges(pgid)
  const choose = (chosen: string | null) => {
    const wanted = joinings.find((each) => each === chosen)
    if (!wanted || wanted === joining) return
    join.mutate(wanted, {
      onSuccess: () => notify.success(t('joining.saved')),
      onError: (error) => notify.error(failureText(error, common('errors.message'))),
    })
  }
  return (
    <Select
      label={t('joining.label')}
      allowDeselect={false}
      disabled={!mayChange || join.isPending}
      data={joinings.map((value) => ({ value, label: t(`joining.${value}`) }))}
      value={joining}
      onChange={choose}
    />
  )
}

function TurnOff({ pgid }: { pgid: string }) {
  const { t } = useTranslation('signOn')
  const { t: common } = useTranslation()
  const { remove } = useSignOnChanges(pgid)
  const [asking, setAsking] = useState(false)
  return (
    <div>
      <Button design="danger" onClick={() => setAsking(true)}>
        {t('off.action')}
      </Button>
      <ConfirmDialog
        opened={asking}
        danger
        title={t('off.title')}
        message={t('off.message')}
        confirm={t('off.action')}
        loading={remove.isPending}
        error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => {
              setAsking(false)
              notify.success(t('off.done'))
            },
          })
        }
        onClose={() => {
          remove.reset()
          setAsking(false)
        }}
      />
    </div>
  )
}
