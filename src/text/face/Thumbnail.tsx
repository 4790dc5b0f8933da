import { ImageOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { DynamicValue } from '../../../engine/values/dynamicValue'
import { isMediaUrl } from '../../../engine/values/url'
import styles from './thumbnail.module.css'

/** Height of a picture that fills a face. */
export const THUMBNAIL = 112

/** An address that can be shown as it is: no variable in it, and a URL or an uploaded file; else null. */
export const shownAddress = (url: DynamicValue): string | null =>
  url.type === 'static' && isMediaUrl(url.value) ? url.value : null

/** A picture cut to fill its place; where it can't be loaded, `failed` says so above the address. Give it `key={url}`. */
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
