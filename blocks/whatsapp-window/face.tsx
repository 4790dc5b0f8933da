import { Hourglass } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { FaceText } from '../../src/text/face/FaceText'
import { type BlockFace, faceMetrics } from '../../src/ui/blockFace'
import type { WhatsappWindowData } from './schema'

function WhatsappWindowFace() {
  const { t } = useTranslation('blocks')
  return <FaceText lines={1}>{t('whatsapp-window.face.text')}</FaceText>
}

export const face: BlockFace<WhatsappWindowData> = {
  icon: Hourglass,
  height: () => faceMetrics.line,
  Component: WhatsappWindowFace,
}
