import { ExternalLink, File } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { videoSource } from '../../../engine/values/videoSource'
import type { InboxMessage } from '../../../server/contracts/inbox'
import { formatBytes } from '../../i18n/format'
import { RichTextView } from '../../text/RichTextView'
import styles from './inbox.module.css'

const isWeb = (url: string): boolean => /^(https?:\/\/|\/files\/)/i.test(url)

/** What a message says or shows. Pages and scripts of others are linked, never run here. */
export function MessageContent({ content }: { content: InboxMessage['content'] }) {
  const { t } = useTranslation('inbox')
  switch (content.kind) {
    case 'text': {
      const isEmpty = content.text.every(({ children }) => children.every(({ text }) => text === ''))
      if (isEmpty) return <em className={styles.skipped}>{t('skipped')}</em>
      return <RichTextView value={content.text} nameOf={noName} />
    }
    case 'answer':
      return (
        <>
          <RichTextView value={content.text} nameOf={noName} />
          {content.sources.length > 0 && (
            <ul className={styles.sources} aria-label={t('sources')}>
              {content.sources.map(({ title, url }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the sources of a message never change
                <li key={index}>{url && isWeb(url) ? <Outward url={url} text={title} /> : <span>{title}</span>}</li>
              ))}
            </ul>
          )}
        </>
      )
    case 'image':
      return <img className={styles.image} src={content.url} alt={content.alt} loading="lazy" />
    case 'video':
      return <Film url={content.url} caption={content.caption} />
    case 'audio':
      return (
        <>
          <Sound url={content.url} />
          {content.caption && <p>{content.caption}</p>}
        </>
      )
    case 'carousel':
      return (
        <ul className={styles.cards}>
          {content.items.map(({ id, title, description, image, buttons }) => (
            <li key={id}>
              {image && <img src={image} alt="" loading="lazy" />}
              <strong>{title}</strong>
              <p>{description}</p>
              {buttons.map((button) => (
                <span key={button.id} className={styles.cardButton}>
                  {button.label}
                </span>
              ))}
            </li>
          ))}
        </ul>
      )
    case 'embed':
      return <Outward url={content.url} text={content.title || content.url} />
    case 'redirect':
      return <Outward url={content.url} text={t('redirect', { url: content.url })} />
    case 'files':
      return (
        <ul className={styles.files}>
          {content.files.map(({ name, url, type, size }) => (
            <li key={url}>
              {type.startsWith('image/') && <img className={styles.image} src={url} alt={name} loading="lazy" />}
              {type.startsWith('audio/') && <Sound url={url} />}
              {type.startsWith('video/') && <Film url={url} caption="" />}
              <a href={url} target="_blank" rel="noreferrer">
                <File size={14} aria-hidden /> {name}
              </a>{' '}
              <span>{formatBytes(size)}</span>
            </li>
          ))}
        </ul>
      )
  }
}

/** A video that is a file is played here; one on a site with a player of its own is linked. */
function Film({ url, caption }: { url: string; caption: string }) {
  const { t } = useTranslation('inbox')
  if (!isWeb(url)) return <span>{caption || t('video')}</span>
  if (videoSource(url).kind !== 'file') return <Outward url={url} text={caption || t('video')} />
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: films of visitors and flows have no captions */}
      <video className={styles.image} controls preload="none" src={url} aria-label={caption || t('video')} />
      {caption && <p>{caption}</p>}
    </>
  )
}

const Sound = ({ url }: { url: string }) => (
  // biome-ignore lint/a11y/useMediaCaption: recordings of visitors and flows have no captions
  <audio className={styles.audio} controls preload="none" src={url} />
)

function Outward({ url, text }: { url: string; text: string }) {
  if (!isWeb(url)) return <span>{text}</span>
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {text} <ExternalLink size={12} aria-hidden />
    </a>
  )
}

const noName = () => null
