import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import type { Chatbot } from '../../../server/contracts/chatbots'
import { useCan } from '../../api/account'
import { chatbotQuery, useChatbotChanges } from '../../api/chatbots'
import { failureText } from '../../api/failure'
import { UpgradeButton } from '../../chatbots/UpgradeButton'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import { PageHeader } from '../../ui/PageHeader'
import { ReadOnlyNotice } from '../../ui/ReadOnlyNotice'
import { SettingsStack } from '../../ui/SettingsStack'
import { BusinessCard } from './BusinessCard'
import { NameCard } from './NameCard'
import { PlatformCard } from './PlatformCard'

/** A chatbot's general settings: name, platform, business details, duplication, deletion. */
export function ChatbotSettingsScreen() {
  const { t } = useTranslation('chatbots')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '' } = useParams()
  const { data: chatbot, error, refetch } = useQuery(chatbotQuery(pgid, cgid))
  return (
    <>
      <PageHeader title={t('settings.title')} description={chatbot?.name} />
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{
            label: common('actions.retry'),
            onClick: () => void refetch(),
          }}
        />
      ) : chatbot ? (
        <Cards key={chatbot.gid} pgid={pgid} chatbot={chatbot} />
      ) : (
        <LoadingState rows={3} height={132} />
      )}
    </>
  )
}

function Cards({ pgid, chatbot }: { pgid: string; chatbot: Chatbot }) {
  const { t } = useTranslation('chatbots')
  const mayUpdate = useCan('chatbots.update')
  const mayDuplicate = useCan('chatbots.duplicate')
  const mayRemove = useCan('chatbots.delete')
  return (
    <SettingsStack>
      {!mayUpdate && <ReadOnlyNotice>{t('settings.readOnly')}</ReadOnlyNotice>}
      <NameCard pgid={pgid} chatbot={chatbot} readOnly={!mayUpdate} />
      {mayUpdate && <PlatformCard pgid={pgid} chatbot={chatbot} />}
      <BusinessCard pgid={pgid} chatbot={chatbot} readOnly={!mayUpdate} />
      {mayUpdate && chatbot.version === 1 && (
        <Card
          title={t('settings.versionTitle')}
          description={t('settings.versionDescription')}
          actions={<UpgradeButton pgid={pgid} chatbot={chatbot} />}
        />
      )}
      {mayDuplicate && <DuplicateCard pgid={pgid} chatbot={chatbot} />}
      {mayRemove && <RemoveCard pgid={pgid} chatbot={chatbot} />}
    </SettingsStack>
  )
}

function DuplicateCard({ pgid, chatbot }: { pgid: string; chatbot: Chatbot }) {
  const { t } = useTranslation('chatbots')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const { duplicate } = useChatbotChanges(pgid)
  const copy = () =>
    duplicate.mutate(chatbot.gid, {
      onSuccess: ({ gid, name }) => {
        notify.success(t('duplicate.done', { name }))
        void navigate(`/projects/${pgid}/chatbots/${gid}/settings/general`)
      },
      onError: (error) => notify.error(failureText(error, common('errors.message'))),
    })
  return (
    <Card
      title={t('settings.duplicateTitle')}
      description={t('settings.duplicateDescription')}
      actions={
        <Button loading={duplicate.isPending} onClick={copy}>
          {common('actions.duplicate')}
        </Button>
      }
    />
  )
}

function RemoveCard({ pgid, chatbot: { gid, name } }: { pgid: string; chatbot: Chatbot }) {
  const { t } = useTranslation('chatbots')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const { remove } = useChatbotChanges(pgid)
  const confirm = (typed: string) =>
    remove.mutate(
      { cgid: gid, name: typed },
      {
        onSuccess: () => {
          notify.success(t('remove.done'))
          void navigate(`/projects/${pgid}/chatbots`, { replace: true })
        },
      },
    )
  return (
    <>
      <Card
        tone="danger"
        title={t('settings.deleteTitle')}
        description={t('settings.deleteDescription')}
        actions={
          <Button design="danger" onClick={() => setAsking(true)}>
            {t('remove.submit')}
          </Button>
        }
      />
      <ConfirmDialog
        opened={asking}
        title={t('remove.title')}
        message={t('remove.ask', { name })}
        confirm={t('remove.submit')}
        typeName={name}
        danger
        loading={remove.isPending}
        error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
        onConfirm={confirm}
        onClose={() => {
          remove.reset()
          setAsking(false)
        }}
      />
    </>
  )
}
