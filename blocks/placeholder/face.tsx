import { Puzzle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { countLines } from '../../src/text/face/countLines'
import { FaceText } from '../../src/text/face/FaceText'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { PlaceholderData } from './schema'

const REASON_LINES = 3

function PlaceholderFace({ data }: FaceProps<PlaceholderData>) {
  const { t } = useTranslation('blocks')
  return (
    <>
      <FaceText lines={1}>
        <strong>{t('placeholder.face.title', { product: productName(data.product), type: data.type })}</strong>
      </FaceText>
      {data.reason !== '' && (
        <FaceText lines={countLines(data.reason, REASON_LINES)} faint>
          {data.reason}
        </FaceText>
      )}
    </>
  )
}

export const productName = (product: string): string => product.charAt(0).toUpperCase() + product.slice(1)

export const face: BlockFace<PlaceholderData> = {
  icon: Puzzle,
  height: ({ reason }) => faceMetrics.line * (1 + (reason === '' ? 0 : countLines(reason, REASON_LINES))),
  Component: PlaceholderFace,
}
