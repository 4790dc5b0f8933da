import { Clapperboard, Play, VideoOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isBlankValue } from '../../engine/values/dynamicValue'
import { videoSource } from '../../engine/values/videoSource'
import { countLines, withChips } from '../../src/text/face/countLines'
import { FaceText } from '../../src/text/face/FaceText'
import { shownAddress, THUMBNAIL, Thumbnail } from '../../src/text/face/Thumbnail'
import { DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type FaceNames, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import styles from './face.module.css'
import type { VideoData } from './schema'

const CAPTION_LINES = 2
const { line, rowGap } = faceMetrics

function VideoFace({ data, names }: FaceProps<VideoData>) {
  const { t } = useTranslation('blocks')
  const url = shownAddress(data.url)
  const isEmpty = data.url.type === 'static' && data.url.value === ''
  const lines = captionLines(data, names)
  return (
    <>
      {url === null ? (
        <FaceText lines={1} faint={isEmpty}>
          {isEmpty ? t('video.face.empty') : <DynamicView value={data.url} nameOf={names.variable} />}
        </FaceText>
      ) : (
        <Picture key={url} url={url} />
      )}
      {lines > 0 && (
        <div style={{ paddingTop: rowGap }}>
          <FaceText lines={lines}>
            <DynamicView value={data.caption} nameOf={names.variable} />
          </FaceText>
        </div>
      )}
    </>
  )
}

/** The video's first picture; for Vimeo, which has no public thumbnails, its name. */
function Picture({ url }: { url: string }) {
  const { t } = useTranslation('blocks')
  const [failed, setFailed] = useState(false)
  const source = videoSource(url)
  if (source.kind === 'youtube') {
    const still = `https://i.ytimg.com/vi/${source.id}/hqdefault.jpg`
    return (
      <Thumbnail url={still} alt="" height={THUMBNAIL} failed={t('video.face.failed')}>
        <PlayMark />
        <span className={styles.site}>{t('video.face.youtube')}</span>
      </Thumbnail>
    )
  }
  return (
    <div className={styles.screen} style={{ height: THUMBNAIL }}>
      {failed ? (
        <div className={styles.failed}>
          <VideoOff size={16} aria-hidden />
          <span>{t('video.face.failed')}</span>
          <span className={styles.address}>{url}</span>
        </div>
      ) : (
        <>
          {source.kind === 'file' && (
            // shortly after the start, which is often black
            <video src={`${url}#t=0.1`} muted playsInline preload="metadata" onError={() => setFailed(true)} />
          )}
          <PlayMark />
          {source.kind === 'vimeo' && <span className={styles.site}>{t('video.face.vimeo')}</span>}
        </>
      )}
    </div>
  )
}

const PlayMark = () => (
  <span className={styles.play}>
    <Play size={16} fill="currentColor" aria-hidden />
  </span>
)

const captionLines = ({ caption }: VideoData, names: FaceNames): number =>
  isBlankValue(caption) ? 0 : countLines(withChips(caption, names.variable), CAPTION_LINES)

export const face: BlockFace<VideoData> = {
  icon: Clapperboard,
  height(data, names) {
    const lines = captionLines(data, names)
    return (shownAddress(data.url) === null ? line : THUMBNAIL) + (lines === 0 ? 0 : rowGap + lines * line)
  },
  Component: VideoFace,
}
