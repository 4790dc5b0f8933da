import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Chatbot } from '../../server/contracts/chatbots'
import { useShareLink } from '../api/shareLink'
import { Button } from '../ui/Button'
import { Card } from '../ui/Card'
import { downloadBlob } from '../ui/downloadBlob'
import { downloadText } from '../ui/downloadText'
import { notify } from '../ui/notify'
import { drawQr, QrCode, qrPng, qrSvg } from '../ui/QrCode'
import styles from './qrCard.module.css'

/** The link to a chatbot's page for print and for phones. */
export function QrCard({ chatbot }: { chatbot: Pick<Chatbot, 'slug' | 'domain'> }) {
  const { t } = useTranslation('share')
  const { t: common } = useTranslation()
  const { slug } = chatbot
  const link = useShareLink(chatbot)
  const png = () =>
    qrPng(drawQr(link)).then(
      (blob) => downloadBlob(blob, `${slug}.png`),
      () => notify.error(common('errors.message')),
    )
  return (
    <Card title={t('qr.title')} description={t('qr.description')}>
      <div className={styles.qr}>
        <QrCode text={link} label={t('qr.label', { link })} />
        <div className={styles.downloads}>
          <Button icon={<Download size={14} />} onClick={() => void png()}>
            {t('qr.png')}
          </Button>
          <Button
            icon={<Download size={14} />}
            onClick={() => downloadText(qrSvg(drawQr(link)), `${slug}.svg`, 'image/svg+xml')}
          >
            {t('qr.svg')}
          </Button>
        </div>
      </div>
    </Card>
  )
}
