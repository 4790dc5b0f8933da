import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Chatbot, platforms } from '../../../server/contracts/chatbots'
import { useChatbotChanges } from '../../api/chatbots'
import { failureText } from '../../api/failure'
import { type Platform, PlatformChoices } from '../../chatbots/PlatformChoices'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { notify } from '../../ui/notify'

/** Where people write to the chatbot; connecting it is a screen of its own. */
export function PlatformCard({ pgid, chatbot }: { pgid: string; chatbot: Chatbot }) {
  const { t } = useTranslation('chatbots')
  const { t: common } = useTranslation()
  const saved: Platform = chatbot.platform_id === platforms.messaging ? 'messaging' : 'web'
  const [platform, setPlatform] = useState<Platform>(saved)
  const { update } = useChatbotChanges(pgid)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    update.mutate(
      { cgid: chatbot.gid, platform_id: platforms[platform] },
      {
        onSuccess: () => notify.success(t('settings.saved')),
        onError: (error) => notify.error(failureText(error, common('errors.message'))),
      },
    )
  }
  return (
    <form onSubmit={submit}>
      <Card
        title={t('platform.title')}
        description={t('platform.description')}
        footer={
          <>
            <Button design="ghost" to={`/projects/${pgid}/chatbots/${chatbot.gid}/settings/whatsapp`}>
              {t('platform.connect')}
            </Button>
            <Button type="submit" design="primary" disabled={platform === saved} loading={update.isPending}>
              {common('actions.save')}
            </Button>
          </>
        }
      >
        <PlatformChoices value={platform} onChange={setPlatform} />
      </Card>
    </form>
  )
}
