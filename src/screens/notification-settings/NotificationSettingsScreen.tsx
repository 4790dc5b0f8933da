import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import type { NoticeName } from '../../../server/contracts/notifications'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { notificationsQuery } from '../../api/notifications'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { SettingsStack } from '../../ui/SettingsStack'
import { AddressDialog } from './AddressDialog'
import { CreditNotices } from './CreditNotices'
import { MyNotifications } from './MyNotifications'
import { NewRowNotices } from './NewRowNotices'
import { WaitingNotice } from './WaitingNotice'

/** /projects/:pgid/notification-settings: what the account is told of, and which mails go to whom. */
export const NotificationSettingsScreen = () => <Notifications adding={false} />

/** /projects/:pgid/notification-settings/new: the same, with the dialog for an address. */
export const NewNotificationAddressScreen = () => <Notifications adding />

function Notifications({ adding }: { adding: boolean }) {
  const { t } = useTranslation('notifications')
  const { pgid = '' } = useParams()
  const maySee = useCan('notifications.view')
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <SettingsStack>
        <MyNotifications pgid={pgid} />
        {maySee && <ProjectMails pgid={pgid} adding={adding} />}
      </SettingsStack>
    </>
  )
}

const names: readonly NoticeName[] = ['ai_credits_usage', 'new_contact', 'new_conversation']

/** Mails of the project, which owners and admins see. */
function ProjectMails({ pgid, adding }: { pgid: string; adding: boolean }) {
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const mayUpdate = useCan('notifications.update')
  const { data, error, refetch } = useQuery(notificationsQuery(pgid))
  const place = `/projects/${pgid}/notification-settings`
  const name = names.find((each) => each === search.get('for')) ?? 'ai_credits_usage'
  if (error)
    return (
      <ErrorCard
        message={failureText(error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void refetch() }}
      />
    )
  if (!data) return <LoadingState rows={3} height={72} />
  const props = {
    pgid,
    settings: data,
    readOnly: !mayUpdate,
    onAdd: (to: NoticeName) => void navigate(`${place}/new?for=${to}`),
  }
  return (
    <>
      <NewRowNotices name="new_conversation" {...props} />
      <NewRowNotices name="new_contact" {...props} />
      <WaitingNotice pgid={pgid} minutes={data.waiting_minutes} readOnly={!mayUpdate} />
      <CreditNotices {...props} />
      {adding && mayUpdate && (
        <AddressDialog
          pgid={pgid}
          name={name}
          emails={data[name].emails}
          onClose={() => void navigate(place, { replace: true })}
        />
      )}
    </>
  )
}
