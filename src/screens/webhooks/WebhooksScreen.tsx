import { useQuery } from '@tanstack/react-query'
import { Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { type WebhookEndpoint, webhookCaps } from '../../../server/contracts/webhooks'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { webhooksQuery } from '../../api/webhooks'
import { UpgradeBanner } from '../../projects/UpgradeBanner'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { ReadOnlyNotice } from '../../ui/ReadOnlyNotice'
import { SettingsStack } from '../../ui/SettingsStack'
import { EndpointState } from './EndpointState'
import { ExamplesCard } from './ExamplesCard'
import { NewWebhookDialog } from './NewWebhookDialog'
import styles from './webhooks.module.css'

/** /projects/:pgid/settings/project/webhooks: which programs are told what happened. */
export function WebhooksScreen() {
  const { t } = useTranslation('webhooks')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const navigate = useNavigate()
  const mayConnect = useCan('integrations.connect')
  const { data, error, refetch } = useQuery(webhooksQuery(pgid))
  const [adding, setAdding] = useState(false)
  const isFull = (data?.endpoints.length ?? 0) >= webhookCaps.endpoints
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          mayConnect &&
          data?.allowed && (
            <Button design="primary" icon={<Plus />} disabled={isFull} onClick={() => setAdding(true)}>
              {t('add')}
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
        <LoadingState rows={3} height={64} />
      ) : (
        <SettingsStack>
          {!mayConnect && <ReadOnlyNotice>{t('readOnly')}</ReadOnlyNotice>}
          {!data.allowed && <UpgradeBanner />}
          {isFull && <p className={styles.note}>{t('full', { count: webhookCaps.endpoints })}</p>}
          {data.endpoints.length === 0 ? (
            <EmptyState icon={<Webhook />} title={t('emptyTitle')} message={t('emptyMessage')} />
          ) : (
            <Card flush>
              <ul className={styles.rows} aria-label={t('title')}>
                {data.endpoints.map((endpoint) => (
                  <Row key={endpoint.gid} pgid={pgid} endpoint={endpoint} />
                ))}
              </ul>
            </Card>
          )}
          <ExamplesCard />
        </SettingsStack>
      )}
      {adding && (
        <NewWebhookDialog
          pgid={pgid}
          onClose={() => setAdding(false)}
          onMade={(gid) => void navigate(`/projects/${pgid}/settings/project/webhooks/${gid}`)}
        />
      )}
    </>
  )
}

function Row({ pgid, endpoint }: { pgid: string; endpoint: WebhookEndpoint }) {
  const { t } = useTranslation('webhooks')
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <Link className={styles.open} to={`/projects/${pgid}/settings/project/webhooks/${endpoint.gid}`}>
          {endpoint.description || endpoint.url}
        </Link>
        {endpoint.description !== '' && <span className={styles.url}>{endpoint.url}</span>}
        <span className={styles.note}>{t('events.count', { count: endpoint.events.length })}</span>
      </div>
      <EndpointState endpoint={endpoint} />
    </li>
  )
}
