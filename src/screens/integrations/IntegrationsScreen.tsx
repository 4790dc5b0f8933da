import { useQuery } from '@tanstack/react-query'
import { CalendarClock, Cloud, Contact, type LucideIcon, Sheet, Ticket } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useParams } from 'react-router'
import type { VendorConnection, VendorList, VendorSlug } from '../../../server/contracts/integrations'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { connectionUsesQuery, integrationsQuery, useIntegrationChanges } from '../../api/integrations'
import { usedIn, usedInActions, usedInFlows, usedInLists } from '../../api/uses'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import { PageHeader } from '../../ui/PageHeader'
import { ReadOnlyNotice } from '../../ui/ReadOnlyNotice'
import { SettingsStack } from '../../ui/SettingsStack'
import { ConnectDialog } from './ConnectDialog'
import { ConnectionRow } from './ConnectionRow'
import styles from './integrations.module.css'

type Vendor = VendorList['vendors'][number]

const icons: Record<VendorSlug, LucideIcon> = {
  'google-sheets': Sheet,
  hubspot: Contact,
  salesforce: Cloud,
  zendesk: Ticket,
  calendly: CalendarClock,
}

/** /projects/:pgid/integrations: the project's accounts at vendors. */
export function IntegrationsScreen() {
  const { t } = useTranslation('integrations')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const mayConnect = useCan('integrations.connect')
  const { data, error, refetch } = useQuery(integrationsQuery(pgid))
  const { data: uses } = useQuery(connectionUsesQuery(pgid))
  const { remove } = useIntegrationChanges(pgid)
  const [removing, setRemoving] = useState<VendorConnection | null>(null)
  const close = () => {
    setRemoving(null)
    remove.reset()
  }
  const disconnect = ({ gid, account }: VendorConnection) =>
    remove.mutate(gid, {
      onSuccess: ({ revoked }) => {
        if (revoked) notify.success(t('disconnected', { account }))
        else notify.neutral(t('disconnectedHere', { account }))
        close()
      },
    })
  const usesOf = ({ gid }: VendorConnection) => uses?.[gid] ?? []
  const usedBy = (connection: VendorConnection) => usedIn(usesOf(connection))
  function whatEnds(connection: VendorConnection): string {
    const [flows, lists] = [usedInFlows(usesOf(connection)), usedInLists(usesOf(connection))]
    const actions = usedInActions(usesOf(connection))
    const parts = [
      flows && t('disconnectUsed', { flows }),
      lists && t('disconnectFollowed', { lists }),
      actions && t('disconnectActions', { actions }),
    ].filter(Boolean)
    return parts.length > 0 ? parts.join(' ') : t('disconnectUnused')
  }
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !data ? (
        <LoadingState rows={2} height={120} />
      ) : (
        <SettingsStack>
          {!mayConnect && <ReadOnlyNotice>{t('readOnly')}</ReadOnlyNotice>}
          {data.sandbox !== null && (
            <p className={styles.sandbox}>
              <Badge tone="warning">{t('sandbox.mark')}</Badge> {t('sandbox.on')}{' '}
              <a href={data.sandbox} target="_blank" rel="noreferrer">
                {t('sandbox.see')}
              </a>
            </p>
          )}
          {data.vendors.map((vendor) => (
            <VendorCard
              key={vendor.slug}
              vendor={vendor}
              connections={data.connections.filter((each) => each.vendor === vendor.slug)}
              usedBy={uses ? usedBy : null}
              onDisconnect={setRemoving}
            />
          ))}
        </SettingsStack>
      )}
      {removing && (
        <ConfirmDialog
          opened
          danger
          title={t('disconnectTitle', { account: removing.account })}
          message={whatEnds(removing)}
          confirm={t('disconnect')}
          loading={remove.isPending}
          error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
          onConfirm={() => disconnect(removing)}
          onClose={close}
        />
      )}
    </>
  )
}

interface VendorCardProps {
  vendor: Vendor
  connections: readonly VendorConnection[]
  /** the flows that use a connection, in words; null: unknown */
  usedBy: ((connection: VendorConnection) => string) | null
  onDisconnect: (connection: VendorConnection) => void
}

/** A vendor, what it is for, and the accounts that are connected. */
function VendorCard({ vendor, connections, usedBy, onDisconnect }: VendorCardProps) {
  const { t } = useTranslation('integrations')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const { pathname } = useLocation()
  const mayConnect = useCan('integrations.connect')
  const mayDisconnect = useCan('integrations.disconnect')
  const { connect, check } = useIntegrationChanges(pgid)
  const Icon = icons[vendor.slug]
  const [asking, setAsking] = useState(false)
  const canConnect = vendor.available || vendor.by_hand.length > 0
  const leave = () =>
    connect.mutate(
      { vendor: vendor.slug, returnTo: pathname },
      { onError: (error) => notify.error(failureText(error, common('errors.message'))) },
    )
  // without anything to fill in or to choose, the person is taken there at once
  const begin = () => (vendor.by_hand.length > 0 || vendor.fields.length > 0 ? setAsking(true) : leave())
  const look = (gid: string) =>
    check.mutate(gid, {
      onSuccess: ({ connection }) =>
        connection.problem ? notify.error(connection.problem.message) : notify.success(t('works')),
      onError: (error) => notify.error(failureText(error, common('errors.message'))),
    })
  return (
    <Card
      title={vendor.name}
      description={
        <>
          <Icon size={14} aria-hidden className={styles.icon} /> {t(`vendors.${vendor.slug}`)}
        </>
      }
      actions={
        mayConnect &&
        canConnect && (
          <Button
            design={connections.length === 0 ? 'primary' : 'ghost'}
            loading={connect.isPending || connect.isSuccess}
            onClick={begin}
          >
            {t(connections.length === 0 ? 'connect' : 'connectAnother')}
          </Button>
        )
      }
      flush={connections.length > 0}
    >
      {connections.length > 0 ? (
        <ul className={styles.list} aria-label={t('accounts', { vendor: vendor.name })}>
          {connections.map((connection) => (
            <ConnectionRow
              key={connection.gid}
              connection={connection}
              usedBy={usedBy?.(connection) ?? null}
              checking={check.isPending && check.variables === connection.gid}
              onCheck={() => look(connection.gid)}
              onReconnect={mayConnect && canConnect ? begin : null}
              onDisconnect={mayDisconnect ? () => onDisconnect(connection) : null}
            />
          ))}
        </ul>
      ) : (
        <p className={styles.faint}>
          {canConnect ? t('none') : t('unavailable', { vendor: vendor.name, callback: vendor.callback })}
        </p>
      )}
      {asking && <ConnectDialog vendor={vendor} onClose={() => setAsking(false)} />}
    </Card>
  )
}
