import { useTranslation } from 'react-i18next'
import type { BotMessage } from '../../../../engine/flow/conversation'
import { isWebAddress, outward } from './address'
import styles from './content.module.css'
import { Picture } from './Media'

type Items = Extract<BotMessage, { kind: 'carousel' }>['items']

/** Cards side by side, as in the chat; their buttons show what could be pressed, and links lead where they led. */
export function Cards({ items }: { items: Items }) {
  const { t } = useTranslation('inbox')
  return (
    <ul
      className={styles.cards}
      aria-label={t('shown.cards', { count: items.length })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
    >
      {items.map((item, index) => (
        <li key={item.id} className={styles.card} aria-label={t('shown.card', { n: index + 1, of: items.length })}>
          {item.image && (
            <Picture className={styles.cardImage} url={item.image} alt={item.title} link={item.imageLink} />
          )}
          <div className={styles.cardWords}>
            {item.title && <strong>{item.title}</strong>}
            {item.description && <p>{item.description}</p>}
          </div>
          {item.buttons.map(({ id, label, url }) =>
            url && isWebAddress(url) ? (
              <a key={id} className={styles.cardButton} href={url} {...outward}>
                {label}
              </a>
            ) : (
              <span key={id} className={styles.cardButton}>
                {label}
              </span>
            ),
          )}
        </li>
      ))}
    </ul>
  )
}
