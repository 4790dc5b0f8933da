import { ImageOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { DynamicValue } from '../../../engine/values/dynamicValue'
import { isMediaUrl } from '../../../engine/values/url'
import styles from './thumbnail.module.css'

/** Height of an image that fills a face. */
export const THUMBNAIL = 112

/** An address without variables that can be displayed: a URL or an uploaded file; otherwise null. */
export const shownAddress = (url: DynamicValue): string | null =>
  url.type === 'static' && isMediaUrl(url.value) ? url.value : null

/** An image cropped to its place; if it can't be loaded, `failed` is shown above the address. Pass `key={url}`. */
export function Thumbnail(props: { url: string; alt: string; height: number; failed: string; children?: ReactNode }) {
  const [failed, setFailed] = useState(false)
  return (
    <div className={styles.thumbnail} style={{ height: props.height }}>
      {failed ? (
        <div className={styles.failed}>
          <ImageOff size={16} aria-hidden />
          <span>{props.failed}</span>
          <span className={styles.address}>{props.url}</span>
        </div>
      ) : (
        <img
          src={props.url}
          alt={props.alt}
          loading="lazy"
          draggable={false}
          referrerPolicy="no-referrer"
          onError={() => setFailed(true)}
        />
      )}
      {props.children}
    </div>
  )
}
