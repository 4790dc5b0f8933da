import { CircleStop } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { FaceText } from '../../src/text/face/FaceText'
import { type BlockFace, faceMetrics } from '../../src/ui/blockFace'
import type { EndData } from './schema'

function EndFace() {
  const { t } = useTranslation('blocks')
  return <FaceText lines={1}>{t('end.face.text')}</FaceText>
}

export const face: BlockFace<EndData> = { icon: CircleStop, height: () => faceMetrics.line, Component: EndFace }
