import { IdCard } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isBlankValue } from '../../engine/values/dynamicValue'
import { FaceText } from '../../src/text/face/FaceText'
import { DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { ContactCardData } from './schema'

function ContactCardFace({ data, names }: FaceProps<ContactCardData>) {
  const { t } = useTranslation('blocks')
  const isEmpty = isBlankValue(data.name)
  return (
    <FaceText lines={1} faint={isEmpty}>
      {isEmpty ? t('contact-card.face.empty') : <DynamicView value={data.name} nameOf={names.variable} />}
    </FaceText>
  )
}

export const face: BlockFace<ContactCardData> = {
  icon: IdCard,
  height: () => faceMetrics.line,
  Component: ContactCardFace,
}
