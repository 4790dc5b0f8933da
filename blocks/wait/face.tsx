import { Timer } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { FaceText } from '../../src/text/face/FaceText'
import { Chip } from '../../src/text/RichTextView'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { WaitData } from './schema'

function WaitFace({ data, names }: FaceProps<WaitData>) {
  const { t } = useTranslation('blocks')
  const { variableId, unit, amount } = data
  return (
    <FaceText lines={1}>
      {variableId === null ? (
        <Trans t={t} i18nKey={`wait.face.${unit}`} count={amount} components={{ time: <strong /> }} />
      ) : (
        <Trans
          t={t}
          i18nKey={`wait.face.variable.${unit}`}
          components={{ variable: <Chip name={names.variable(variableId)} /> }}
        />
      )}
    </FaceText>
  )
}

export const face: BlockFace<WaitData> = { icon: Timer, height: () => faceMetrics.line, Component: WaitFace }
