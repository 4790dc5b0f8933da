import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useCan } from '../../api/account'
import { chatbotQuery } from '../../api/chatbots'
import { embedQuery } from '../../api/embed'
import { failureText } from '../../api/failure'
import { QrCard } from '../../sharing/QrCard'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { ReadOnlyNotice } from '../../ui/ReadOnlyNotice'
import { SettingsStack } from '../../ui/SettingsStack'
import { ApiCard } from './ApiCard'
import { CheckCard } from './CheckCard'
import { IdentityCard } from './IdentityCard'
import { InstallCard } from './InstallCard'
import { PlacesForm } from './PlacesForm'

/** /integrations/embed: the line for one's own site, where it may stand, and what its programmers can do with it. */
export function EmbedScreen() {
  const { t } = useTranslation('embed')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '' } = useParams()
  const mayUpdate = useCan('embed.update')
  const chatbot = useQuery(chatbotQuery(pgid, cgid))
  const settings = useQuery(embedQuery({ pgid, cgid }))
  const error = chatbot.error ?? settings.error
  return (
    <>
      <PageHeader title={t('title')} description={chatbot.data?.name} />
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{
            label: common('actions.retry'),
            onClick: () => void Promise.all([chatbot.refetch(), settings.refetch()]),
          }}
        />
      ) : chatbot.data && settings.data ? (
        <SettingsStack>
          {!mayUpdate && <ReadOnlyNotice>{t('readOnly')}</ReadOnlyNotice>}
          <InstallCard chatbot={chatbot.data} />
          <QrCard chatbot={chatbot.data} />
          {mayUpdate && <CheckCard pgid={pgid} cgid={cgid} />}
          <PlacesForm key={cgid} pgid={pgid} cgid={cgid} settings={settings.data} readOnly={!mayUpdate} />
          <IdentityCard pgid={pgid} cgid={cgid} readOnly={!mayUpdate} />
          <ApiCard chatbot={chatbot.data} />
        </SettingsStack>
      ) : (
        <LoadingState rows={4} height={160} />
      )}
    </>
  )
}
