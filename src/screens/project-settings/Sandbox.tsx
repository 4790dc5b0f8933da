import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SandboxState } from '../../../server/contracts/sandbox'
import { failureText } from '../../api/failure'
import { sandboxQuery, useSandboxSwitch } from '../../api/sandbox'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import styles from './sandbox.module.css'

/** Stand-ins in place of the vendors, for owners. */
export function Sandbox({ pgid }: { pgid: string }) {
  const { t } = useTranslation('projects')
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery(sandboxQuery(pgid))
  if (data) return <Switched pgid={pgid} state={data} />
  return (
    <Card title={t('sandbox.title')}>
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

function Switched({ pgid, state: { url, fixed, refused, connections } }: { pgid: string; state: SandboxState }) {
  const { t } = useTranslation('projects')
  const { t: common } = useTranslation()
  const change = useSandboxSwitch(pgid)
  const [asking, setAsking] = useState(false)
  const failed = change.error ? failureText(change.error, common('errors.message')) : undefined
  const close = () => {
    change.reset()
    setAsking(false)
  }
  const turn = (on: boolean) =>
    change.mutate(on, {
      onSuccess: () => {
        notify.success(t(on ? 'sandbox.isOn' : 'sandbox.isOff'))
        close()
      },
      onError: (failure) => {
        if (on) notify.error(failureText(failure, common('errors.message')))
      },
    })
  return (
    <Card
      title={t('sandbox.title')}
      description={t('sandbox.description')}
      actions={
        !fixed &&
        (url !== null || refused === null) && (
          <Button loading={change.isPending} onClick={() => (url === null ? turn(true) : setAsking(true))}>
            {t(url === null ? 'sandbox.turnOn' : 'sandbox.turnOff')}
          </Button>
        )
      }
    >
      <div className={styles.state}>
        <Badge tone={url === null ? 'neutral' : 'warning'} dot>
          {t(url === null ? 'sandbox.off' : 'sandbox.on')}
        </Badge>
        <p className={styles.text}>
          {url === null ? (refused ?? t('sandbox.until')) : t(fixed ? 'sandbox.fixed' : 'sandbox.running')}{' '}
          {url !== null && (
            <a href={url} target="_blank" rel="noreferrer">
              {t('sandbox.see')}
            </a>
          )}
        </p>
      </div>
      <ConfirmDialog
        opened={asking}
        danger
        title={t('sandbox.offTitle')}
        message={connections === 0 ? t('sandbox.offUnused') : t('sandbox.offAsk', { count: connections })}
        confirm={t('sandbox.turnOff')}
        loading={change.isPending}
        error={failed}
        onConfirm={() => turn(false)}
        onClose={close}
      />
    </Card>
  )
}
