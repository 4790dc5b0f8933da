import { BadgeCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { FaceText } from '../../src/text/face/FaceText'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { WhatsappOptInData } from './schema'

function WhatsappOptInFace({ data }: FaceProps<WhatsappOptInData>) {
  const { t } = useTranslation('blocks')
  return <FaceText lines={1}>{t(`whatsapp-opt-in.face.${data.answer}`)}</FaceText>
}

export const face: BlockFace<WhatsappOptInData> = {
  icon: BadgeCheck,
  height: () => faceMetrics.line,
  Component: WhatsappOptInFace,
}
