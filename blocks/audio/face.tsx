import { AudioLines, Play } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isFileUrl } from '../../engine/values/url'
import { FaceText } from '../../src/text/face/FaceText'
import { shownAddress } from '../../src/text/face/Thumbnail'
import { DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import styles from './face.module.css'
import type { AudioData } from './schema'

/** Two lines beside a button: the name, and the origin with the duration. */
const HEIGHT = 2 * faceMetrics.line

function AudioFace({ data, names }: FaceProps<AudioData>) {
  const { t } = useTranslation('blocks')
  const url = shownAddress(data.url)
  if (isEmpty(data.url))
    return (
      <FaceText lines={1} faint>
        {t('audio.face.empty')}
      </FaceText>
    )
  const name = url === null ? <DynamicView value={data.url} nameOf={names.variable} /> : nameOf(url)
  const caption = isEmpty(data.caption) ? null : <DynamicView value={data.caption} nameOf={names.variable} />
  return (
    <div className={styles.sound} style={{ height: HEIGHT }}>
      <span className={styles.play}>
        <Play size={13} fill="currentColor" aria-hidden />
      </span>
      <span className={styles.words}>
        <span className={styles.line}>{caption ?? name ?? t('audio.face.uploaded')}</span>
        <span className={styles.below}>
          {url !== null && <Length key={url} url={url} />}
          {caption ? (name ?? t('audio.face.uploaded')) : url !== null && hostOf(url)}
        </span>
      </span>
    </div>
  )
}

/** The duration, once known. */
function Length({ url }: { url: string }) {
  const { t } = useTranslation('blocks')
  const [seconds, setSeconds] = useState<number | 'failed' | null>(null)
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: it is never played; only its length is asked for */}
      <audio
        src={url}
        preload="metadata"
        onLoadedMetadata={(event) => setSeconds(event.currentTarget.duration)}
        onError={() => setSeconds('failed')}
      />
      {seconds === 'failed' ? (
        <span className={styles.failed}>{t('audio.face.failed')}</span>
      ) : (
        seconds !== null && Number.isFinite(seconds) && <span className={styles.length}>{clockOf(seconds)}</span>
      )}
    </>
  )
}

const clockOf = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`

/** The file name in a web address; null for an uploaded file, whose address has none. */
const nameOf = (url: string): string | null =>
  isFileUrl(url) ? null : (/\/([^/?#]+)\/?(?:[?#]|$)/.exec(url.replace(/^https?:\/\//i, ''))?.[1] ?? hostOf(url))
const hostOf = (url: string): string => (isFileUrl(url) ? '' : (/^https?:\/\/([^/?#]+)/i.exec(url)?.[1] ?? url))

const isEmpty = (value: AudioData['url']): boolean => value.type === 'static' && value.value.trim() === ''

export const face: BlockFace<AudioData> = {
  icon: AudioLines,
  height: (data) => (isEmpty(data.url) ? faceMetrics.line : HEIGHT),
  Component: AudioFace,
}
