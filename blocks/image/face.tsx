import { Image } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { FaceText } from '../../src/text/face/FaceText'
import { shownAddress, THUMBNAIL, Thumbnail } from '../../src/text/face/Thumbnail'
import { DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { ImageData } from './schema'

function ImageFace({ data, names }: FaceProps<ImageData>) {
  const { t } = useTranslation('blocks')
  const url = shownAddress(data.url)
  const alt = data.alt.type === 'static' ? data.alt.value : ''
  if (url !== null)
    return <Thumbnail key={url} url={url} alt={alt} height={THUMBNAIL} failed={t('image.face.failed')} />
  const isEmpty = data.url.type === 'static' && data.url.value === ''
  return (
    <FaceText lines={1} faint={isEmpty}>
      {isEmpty ? t('image.face.empty') : <DynamicView value={data.url} nameOf={names.variable} />}
    </FaceText>
  )
}

export const face: BlockFace<ImageData> = {
  icon: Image,
  height: (data) => (shownAddress(data.url) === null ? faceMetrics.line : THUMBNAIL),
  Component: ImageFace,
}
