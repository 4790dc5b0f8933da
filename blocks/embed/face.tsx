import { AppWindow, Globe } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { FaceText } from '../../src/text/face/FaceText'
import { DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import styles from './face.module.css'
import type { EmbedData } from './schema'

/** A small window: a bar with the address, and the title below. */
const BAR = 24
const PAGE = 40

function EmbedFace({ data, names }: FaceProps<EmbedData>) {
  const { t } = useTranslation('blocks')
  if (isEmpty(data.url))
    return (
      <FaceText lines={1} faint>
        {t('embed.face.empty')}
      </FaceText>
    )
  return (
    <div className={styles.window} style={{ height: BAR + PAGE }}>
      <div className={styles.bar} style={{ height: BAR }}>
        <Globe size={12} aria-hidden />
        <span className={styles.address}>
          <DynamicView value={withoutScheme(data.url)} nameOf={names.variable} />
        </span>
      </div>
      <div className={styles.page} style={{ height: PAGE }}>
        <span className={styles.title}>
          {isEmpty(data.title) ? host(data.url) : <DynamicView value={data.title} nameOf={names.variable} />}
        </span>
        <span className={styles.size}>{t('embed.face.height', { height: data.height })}</span>
      </div>
    </div>
  )
}

const withoutScheme = (url: EmbedData['url']): EmbedData['url'] =>
  url.type === 'static' ? { ...url, value: url.value.replace(/^https?:\/\/(?:www\.)?/i, '') } : url

const host = (url: EmbedData['url']): string =>
  url.type === 'static' ? (/^https?:\/\/(?:www\.)?([^/?#]+)/i.exec(url.value)?.[1] ?? '') : ''

const isEmpty = (value: EmbedData['url']): boolean => value.type === 'static' && value.value.trim() === ''

export const face: BlockFace<EmbedData> = {
  icon: AppWindow,
  height: (data) => (isEmpty(data.url) ? faceMetrics.line : BAR + PAGE),
  Component: EmbedFace,
}
