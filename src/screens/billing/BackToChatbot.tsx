import { ArrowLeft } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'
import { useAccount } from '../../api/account'
import { Button } from '../../ui/Button'

/** The way back to the chatbot whose banner led here (`chatbot_gid`). */
export function BackToChatbot() {
  const { t } = useTranslation('billing')
  const { pgid = '' } = useParams()
  const [asked] = useSearchParams()
  const chatbot = useAccount().user.chatbots.find(({ gid }) => gid === asked.get('chatbot_gid'))
  if (!chatbot) return null
  return (
    <p>
      <Button design="ghost" icon={<ArrowLeft />} to={`/projects/${pgid}/chatbots/${chatbot.gid}`}>
        {t('plans.back', { name: chatbot.name })}
      </Button>
    </p>
  )
}
