import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { TimelineEntry } from '../../../server/contracts/contacts'
import { formatMoment } from '../../i18n/format'
import styles from './contacts.module.css'

/** What stands below its sentence: the page of a conversation or a visit, the question that was consented to or not. */
const isBelow: ReadonlySet<TimelineEntry['kind']> = new Set([
  ...(['conversation', 'page', 'consent', 'consent-declined', 'consent-withdrawn'] as const),
])

/** What a person did, newest first. */
export function Timeline({ pgid, entries }: { pgid: string; entries: readonly TimelineEntry[] }) {
  const { t } = useTranslation('contacts')
  return (
    <section className={styles.timeline}>
      <h3>{t('timeline')}</h3>
      {entries.length === 0 ? (
        <p className={styles.none}>{t('noTimeline')}</p>
      ) : (
        <ul>
          {entries.map(({ kind, at, chatbot, conversation, detail, link }) => (
            <li key={`${kind} ${at} ${conversation} ${detail}`}>
              <span>
                {t(`did.${kind}`, { chatbot: chatbot.name, detail })}
                {isBelow.has(kind) && detail !== null && <small className={styles.page}>{detail}</small>}
                {link !== null && (
                  <small className={styles.page}>
                    <a href={link} target="_blank" rel="noreferrer">
                      {t('openTicket')}
                    </a>
                  </small>
                )}
              </span>
              {conversation ? (
                <Link to={`/projects/${pgid}/chatbots/${chatbot.gid}/conversations/${conversation}`}>
                  {formatMoment(at)}
                </Link>
              ) : (
                <time dateTime={at}>{formatMoment(at)}</time>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
