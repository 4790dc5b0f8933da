import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { notificationsQuery } from '../../api/notifications'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { ReadOnlyNotice } from '../../ui/ReadOnlyNotice'
import { SettingsStack } from '../../ui/SettingsStack'
import { AddressDialog } from './AddressDialog'
import { CreditNotices } from './CreditNotices'

/** /projects/:pgid/notification-settings: which mails go to whom. */
export const NotificationSettingsScreen = () => <Notifications adding={false} />

/** /projects/:pgid/notification-settings/new: the same, with the dialog for an address. */
export const NewNotificationAddressScreen = () => <Notifications adding />

function Notifications({ adding }: { adding: boolean }) {
  const { t } = useTranslation('notifications')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const { pgid = '' } = useParams()
  const mayUpdate = useCan('notifications.update')
  const { data, error, refetch } = useQuery(notificationsQuery(pgid))
  const place = `/projects/${pgid}/notification-settings`
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <SettingsStack>
        {!mayUpdate && <ReadOnlyNotice>{t('readOnly')}</ReadOnlyNotice>}
        {error ? (
          <ErrorCard
            message={failureText(error, common('errors.message'))}
            action={{ label: common('actions.retry'), onClick: () => void refetch() }}
          />
        ) : data ? (
          <CreditNotices
            pgid={pgid}
            settings={data.ai_credits_usage}
            readOnly={!mayUpdate}
            onAdd={() => void navigate(`${place}/new`)}
          />
        ) : (
          <LoadingState rows={3} height={72} />
        )}
      </SettingsStack>
      {adding && mayUpdate && data && (
        <AddressDialog
          pgid={pgid}
          emails={data.ai_credits_usage.emails}
          onClose={() => void navigate(place, { replace: true })}
        />
      )}
    </>
  )
}
