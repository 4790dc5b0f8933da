import { ExternalLink } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FRAME_ALLOWS, FRAME_REFERRER, sandboxOf } from '../../../../engine/values/foreignFrame'
import { videoSource } from '../../../../engine/values/videoSource'
import { isOwnFile, isWebAddress, outward } from './address'
import styles from './content.module.css'

/** A picture, which may lead somewhere; its words where it can't be loaded. */
export function Picture({
  url,
  alt,
  link,
  className,
}: {
  url: string
  alt: string
  link?: string
  className?: string
}) {
  const { t } = useTranslation('inbox')
  const [broken, setBroken] = useState(false)
  if (broken || !(isWebAddress(url) || isOwnFile(url)))
    return <p className={styles.broken}>{alt || t('shown.noImage')}</p>
  const image = (
    <img className={className ?? styles.picture} src={url} alt={alt} loading="lazy" onError={() => setBroken(true)} />
  )
  // where it leads nowhere, it opens as large as it is
  const to = link && isWebAddress(link) ? link : className ? null : url
  if (to === null) return image
  return (
    <a href={to} {...outward} aria-label={alt || t('shown.openImage')}>
      {image}
    </a>
  )
}

/** A film: the player of the site it comes from, or the file itself. */
export function Film({ url, caption }: { url: string; caption: string }) {
  const { t } = useTranslation('inbox')
  const [broken, setBroken] = useState(false)
  const source = videoSource(url)
  if (source.kind !== 'file')
    return (
      <Captioned caption={caption}>
        <Frame className={styles.film} url={source.embedUrl} title={caption || t('video')} />
      </Captioned>
    )
  if (broken || !(isWebAddress(url) || isOwnFile(url))) return <Unplayable url={url} caption={caption} />
  return (
    <Captioned caption={caption}>
      {/* biome-ignore lint/a11y/useMediaCaption: films of visitors and flows have no captions */}
      <video
        className={styles.film}
        controls
        playsInline
        preload="metadata"
        src={url}
        aria-label={caption || t('video')}
        onError={() => setBroken(true)}
      />
    </Captioned>
  )
}

/** A recording. */
export function Sound({ url, caption }: { url: string; caption: string }) {
  const { t } = useTranslation('inbox')
  const [broken, setBroken] = useState(false)
  if (broken || !(isWebAddress(url) || isOwnFile(url))) return <Unplayable url={url} caption={caption} />
  return (
    <Captioned caption={caption}>
      {/* biome-ignore lint/a11y/useMediaCaption: recordings of visitors and flows have no captions */}
      <audio
        className={styles.sound}
        controls
        preload="metadata"
        src={url}
        aria-label={caption || t('shown.audio')}
        onError={() => setBroken(true)}
      />
    </Captioned>
  )
}

/** Another page within the conversation, as high as in the chat where there is room. */
export function Page({ url, title, height }: { url: string; title: string; height: number }) {
  const { t } = useTranslation('inbox')
  if (!isWebAddress(url)) return <p className={styles.broken}>{title || t('shown.noMedia')}</p>
  return (
    <div className={styles.figure}>
      <Frame className={styles.page} url={url} title={title || new URL(url).hostname} height={height} />
      <Outward url={url} text={t('shown.openPage')} />
    </div>
  )
}

function Frame(props: { url: string; title: string; height?: number; className: string | undefined }) {
  const { url, title, height, className } = props
  const isOwn = URL.canParse(url) && new URL(url).origin === location.origin
  return (
    <iframe
      className={className}
      src={url}
      title={title}
      height={height}
      loading="lazy"
      sandbox={sandboxOf(isOwn)}
      allow={FRAME_ALLOWS}
      referrerPolicy={FRAME_REFERRER}
    />
  )
}

function Captioned({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <figure className={styles.figure}>
      {children}
      {caption && <figcaption>{caption}</figcaption>}
    </figure>
  )
}

function Unplayable({ url, caption }: { url: string; caption: string }) {
  const { t } = useTranslation('inbox')
  return (
    <p className={styles.broken}>
      {caption && <>{caption}. </>}
      {t('shown.noMedia')} {isWebAddress(url) && <Outward url={url} text={t('shown.openPage')} />}
    </p>
  )
}

/** A link to a page of others. */
export function Outward({ url, text }: { url: string; text: string }) {
  if (!isWebAddress(url)) return <span>{text}</span>
  return (
    <a href={url} {...outward}>
      {text} <ExternalLink size={12} aria-hidden />
    </a>
  )
}
