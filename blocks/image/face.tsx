import { Image, ImageOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { isMediaUrl } from '../../engine/values/url'
import { FaceText } from '../../src/text/face/FaceText'
import { DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import styles from './face.module.css'
import type { ImageData } from './schema'

const THUMBNAIL = 112

/** The address when it can be shown as it is: no variable in it, and a URL or an uploaded file. */
const address = (url: DynamicValue): string | null =>
  url.type === 'static' && isMediaUrl(url.value) ? url.value : null

function ImageFace({ data, names }: FaceProps<ImageData>) {
  const { t } = useTranslation('blocks')
  const url = address(data.url)
  if (url !== null) return <Thumbnail key={url} url={url} alt={data.alt.type === 'static' ? data.alt.value : ''} />
  const isEmpty = data.url.type === 'static' && data.url.value === ''
  return (
    <FaceText lines={1} faint={isEmpty}>
      {isEmpty ? t('image.face.empty') : <DynamicView value={data.url} nameOf={names.variable} />}
    </FaceText>
  )
}

function Thumbnail({ url, alt }: { url: string; alt: string }) {
  const { t } = useTranslation('blocks')
  const [failed, setFailed] = useState(false)
  return (
    <div className={styles.thumbnail} style={{ height: THUMBNAIL }}>
      {failed ? (
        <div className={styles.failed}>
          <ImageOff size={16} aria-hidden />
          <span>{t('image.face.failed')}</span>
          <span className={styles.address}>{url}</span>
        </div>
      ) : (
        <img
          src={url}
          alt={alt}
          loading="lazy"
          draggable={false}
          referrerPolicy="no-referrer"
          onError={() => setFailed(true)}
        />
      )}
    </div>
  )
}

export const face: BlockFace<ImageData> = {
  icon: Image,
  height: (data) => (address(data.url) === null ? faceMetrics.line : THUMBNAIL),
  Component: ImageFace,
}
