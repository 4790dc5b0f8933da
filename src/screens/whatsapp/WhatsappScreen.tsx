import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useParams } from 'react-router'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { whatsappQuery } from '../../api/whatsapp'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { ReadOnlyNotice } from '../../ui/ReadOnlyNotice'
import { SettingsStack } from '../../ui/SettingsStack'
import { BroadcastsCard } from './broadcasts/BroadcastsCard'
import { ConnectedCard } from './ConnectedCard'
import { ConnectForm } from './ConnectForm'
import { LinkCard } from './LinkCard'
import { ProfileCard } from './ProfileCard'
import { type Shared, SharedNumbers } from './SharedNumbers'
import { SignupCard } from './SignupCard'
import { TemplatesCard } from './TemplatesCard'

/** /projects/:pgid/chatbots/:cgid/settings/whatsapp: the chatbot's number at WhatsApp. */
export function WhatsappScreen() {
  const { t } = useTranslation('whatsapp')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '' } = useParams()
  const place = { pgid, cgid }
  const mayConnect = useCan('whatsapp.connect')
  const { data, error, refetch } = useQuery(whatsappQuery(place))
  const wantsConnecting = mayConnect && data !== undefined && (!data.connection || data.connection.problem !== null)
  const navigate = useNavigate()
  const { shared } = (useLocation().state ?? {}) as { shared?: Shared }
  const forget = () => void navigate('.', { replace: true, state: null })
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !data ? (
        <LoadingState rows={2} height={160} />
      ) : (
        <SettingsStack>
          {!mayConnect && <ReadOnlyNotice>{t('readOnly')}</ReadOnlyNotice>}
          {!data.published && <ReadOnlyNotice>{t('unpublished')}</ReadOnlyNotice>}
          {data.connection && <ConnectedCard place={place} connection={data.connection} graph={data.graph} />}
          {mayConnect && shared && <SharedNumbers place={place} shared={shared} onDone={forget} />}
          {wantsConnecting && !shared && data.signup && <SignupCard place={place} />}
          {wantsConnecting && !shared && (
            <ConnectForm place={place} example={data.example} connection={data.connection} />
          )}
          {data.connection && (
            <>
              <TemplatesCard place={place} />
              <BroadcastsCard place={place} />
              <ProfileCard place={place} />
              <LinkCard link={data.connection.link} links={data.links} />
            </>
          )}
        </SettingsStack>
      )}
    </>
  )
}
