import { MessageCircle, Monitor } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { platforms } from '../../server/contracts/chatbots'
import { Choice, Choices } from '../ui/Choices'

export type Platform = keyof typeof platforms

/** Where people write to a chatbot: what it is tried and checked for first. */
export function PlatformChoices(props: { value: Platform; onChange: (value: Platform) => void }) {
  const { t } = useTranslation('chatbots')
  return (
    <Choices label={t('platform.label')} {...props}>
      <Choice value="web" icon={<Monitor />} title={t('platform.web')} description={t('platform.webDescription')} />
      <Choice
        value="messaging"
        icon={<MessageCircle />}
        title={t('platform.messaging')}
        description={t('platform.messagingDescription')}
      />
    </Choices>
  )
}
