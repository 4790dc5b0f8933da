import { useTranslation } from 'react-i18next'
import type { Chatbot } from '../../server/contracts/chatbots'
import { useShareLink } from '../api/shareLink'
import { Card } from '../ui/Card'
import { QrDownloads } from '../ui/QrDownloads'

/** The link to a chatbot's page for print and for phones. */
export function QrCard({ chatbot }: { chatbot: Pick<Chatbot, 'slug' | 'domain'> }) {
  const { t } = useTranslation('share')
  const link = useShareLink(chatbot)
  return (
    <Card title={t('qr.title')} description={t('qr.description')}>
      <QrDownloads text={link} label={t('qr.label', { link })} name={chatbot.slug} />
    </Card>
  )
}
