import { Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { FaceText } from '../../src/text/face/FaceText'
import { type BlockFace, faceMetrics } from '../../src/ui/blockFace'
import type { StartData } from './schema'

function StartFace() {
  const { t } = useTranslation('blocks')
  return <FaceText lines={1}>{t('start.face.text')}</FaceText>
}

export const face: BlockFace<StartData> = { icon: Play, height: () => faceMetrics.line, Component: StartFace }
