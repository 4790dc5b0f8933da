import { MapPin } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isBlankValue } from '../../engine/values/dynamicValue'
import { FaceText } from '../../src/text/face/FaceText'
import { DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { LocationData } from './schema'

function LocationFace({ data, names }: FaceProps<LocationData>) {
  const { t } = useTranslation('blocks')
  const shown = [data.name, data.address, data.latitude].find((value) => !isBlankValue(value))
  return (
    <FaceText lines={1} faint={shown === undefined}>
      {shown ? <DynamicView value={shown} nameOf={names.variable} /> : t('location.face.empty')}
    </FaceText>
  )
}

export const face: BlockFace<LocationData> = {
  icon: MapPin,
  height: () => faceMetrics.line,
  Component: LocationFace,
}
