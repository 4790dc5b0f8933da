import { File } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { InboxMessage } from '../../../server/contracts/inbox'
import { formatBytes } from '../../i18n/format'
import { sentFileAddress } from './content/address'
import { Cards } from './content/Cards'
import { Film, Outward, Page, Picture, Sound } from './content/Media'
import { Words } from './content/Words'
import styles from './inbox.module.css'

/** What a message says or shows, by the rules of the chat: pages of others stand in a sandbox, as they do there. */
export function MessageContent({ content }: { content: InboxMessage['content'] }) {
  const { t } = useTranslation('inbox')
  switch (content.kind) {
    case 'text': {
      const isEmpty = content.text.every(({ children }) => children.every(({ text }) => text === ''))
      if (isEmpty) return <em className={styles.skipped}>{t('skipped')}</em>
      return <Words text={content.text} />
    }
    case 'answer':
      return (
        <>
          <Words text={content.text} />
          {content.sources.length > 0 && (
            <ol className={styles.sources} aria-label={t('sources')}>
              {content.sources.map(({ title, url }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the number is what names a source
                <li key={index}>
                  <b>{index + 1}</b> {url ? <Outward url={url} text={title} /> : <span>{title}</span>}
                </li>
              ))}
            </ol>
          )}
        </>
      )
    case 'image':
      return <Picture {...content} />
    case 'video':
      return <Film {...content} />
    case 'audio':
      return <Sound {...content} />
    case 'carousel':
      return <Cards items={content.items} />
    case 'embed':
      return <Page {...content} />
    case 'redirect':
      return <Outward url={content.url} text={t('redirect', { url: content.url })} />
    case 'files':
      return (
        <ul className={styles.files}>
          {content.files.map(({ name, url, type, size }) => (
            <li key={url}>
              {type.startsWith('image/') && <Picture url={sentFileAddress(url) ?? url} alt={name} />}
              {type.startsWith('audio/') && <Sound url={sentFileAddress(url) ?? url} caption="" />}
              {type.startsWith('video/') && <Film url={sentFileAddress(url) ?? url} caption="" />}
              <a href={sentFileAddress(url) ?? url} target="_blank" rel="noreferrer">
                <File size={14} aria-hidden /> {name}
              </a>{' '}
              <span>{formatBytes(size)}</span>
            </li>
          ))}
        </ul>
      )
  }
}
