import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Webhook } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { webhooksQuery } from '../../api/webhooks'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { ReadOnlyNotice } from '../../ui/ReadOnlyNotice'
import { SettingsStack } from '../../ui/SettingsStack'
import { DeleteCard } from './DeleteCard'
import { EndpointForm } from './EndpointForm'
import { EndpointState } from './EndpointState'
import { MessagesCard } from './MessagesCard'
import { SecretCard } from './SecretCard'
import { TestCard } from './TestCard'
import styles from './webhooks.module.css'

/** /projects/:pgid/settings/project/webhooks/:gid: an endpoint, and what was sent to it. */
export function WebhookScreen() {
  const { t } = useTranslation('webhooks')
  const { t: common } = useTranslation()
  const { pgid = '', gid = '' } = useParams()
  const mayConnect = useCan('integrations.connect')
  const mayDisconnect = useCan('integrations.disconnect')
  const { data, error, refetch } = useQuery(webhooksQuery(pgid))
  const endpoint = data?.endpoints.find((each) => each.gid === gid)
  const place = { pgid, gid }
  return (
    <>
      <Link className={styles.back} to={`/projects/${pgid}/settings/project/webhooks`}>
        <ArrowLeft size={14} aria-hidden /> {t('title')}
      </Link>
      <PageHeader
        title={endpoint ? endpoint.description || endpoint.url : t('one')}
        actions={endpoint && <EndpointState endpoint={endpoint} />}
      />
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !data ? (
        <LoadingState rows={3} height={132} />
      ) : !endpoint ? (
        <EmptyState icon={<Webhook />} title={t('goneTitle')} message={t('goneMessage')} />
      ) : (
        <SettingsStack key={gid}>
          {!mayConnect && <ReadOnlyNotice>{t('readOnly')}</ReadOnlyNotice>}
          <EndpointForm {...place} endpoint={endpoint} readOnly={!mayConnect || !data.allowed} />
          {mayConnect && data.allowed && <TestCard {...place} events={endpoint.events} />}
          <MessagesCard {...place} maySend={mayConnect && data.allowed && endpoint.enabled} />
          {mayConnect && <SecretCard {...place} endpoint={endpoint} />}
          {mayDisconnect && <DeleteCard {...place} />}
        </SettingsStack>
      )}
    </>
  )
}
