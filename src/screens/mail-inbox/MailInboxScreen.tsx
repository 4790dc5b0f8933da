import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { mailInboxQuery } from '../../api/mailInbox'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { ReadOnlyNotice } from '../../ui/ReadOnlyNotice'
import { SettingsStack } from '../../ui/SettingsStack'
import { InboundMails } from './InboundMails'
import { InboxForm } from './InboxForm'
import { WebhookCard } from './WebhookCard'

/** /projects/:pgid/settings/project/mail-inbox: where visitors' replies to answers by mail arrive. */
export function MailInboxScreen() {
  const { t } = useTranslation('mailInbox')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const mayUpdate = useCan('notifications.update')
  const { data, error, refetch } = useQuery(mailInboxQuery(pgid))
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : data ? (
        <SettingsStack key={pgid}>
          {!mayUpdate && <ReadOnlyNotice>{common('webSettings.readOnly')}</ReadOnlyNotice>}
          <InboxForm pgid={pgid} state={data} readOnly={!mayUpdate} />
          {data.webhook !== null && data.settings?.kind === 'webhook' && (
            <WebhookCard pgid={pgid} address={data.webhook} readOnly={!mayUpdate} />
          )}
          {data.settings && <InboundMails pgid={pgid} />}
        </SettingsStack>
      ) : (
        <LoadingState rows={3} height={132} />
      )}
    </>
  )
}
