import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { InboxConversation } from '../../../server/contracts/inbox'
import { failureText } from '../../api/failure'
import { inboxSuggestionQuery } from '../../api/inbox'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { LoadingState } from '../../ui/LoadingState'
import styles from './inbox.module.css'
import { useInboxPlace } from './inboxPlace'

interface SuggestionProps {
  conversation: InboxConversation
  last: number
  onUse: (text: string) => void
  onClose: () => void
}

/** What the chatbot's sources say to the visitor's last message. */
export function Suggestion({ conversation, last, onUse, onClose }: SuggestionProps) {
  const { t } = useTranslation('inbox')
  const { pgid } = useInboxPlace()
  const { data, error } = useQuery(inboxSuggestionQuery(pgid, conversation.gid, last))
  const text = data?.text ?? null
  return (
    <section className={styles.suggestion} aria-label={t('suggestion.label')}>
      <header>
        <h3>{t('suggestion.label')}</h3>
        <IconButton size="s" label={t('suggestion.close')} icon={<X size={14} />} onClick={onClose} />
      </header>
      {error ? (
        <p role="alert">{failureText(error, t('failed'))}</p>
      ) : !data ? (
        <LoadingState rows={1} />
      ) : (
        <>
          {text === null ? (
            <p>{t(data.sources.length > 0 ? 'suggestion.passages' : 'suggestion.none')}</p>
          ) : (
            <p>{text}</p>
          )}
          {data.sources.length > 0 && (
            <ul className={styles.sources}>
              {data.sources.map(({ title, url, text: passage }) => (
                <li key={`${title} ${passage}`} title={passage}>
                  {url ? (
                    <a href={url} target="_blank" rel="noreferrer noopener">
                      {title}
                    </a>
                  ) : (
                    <span>{title}</span>
                  )}
                </li>
              ))}
            </ul>
          )}
          {text !== null && (
            <Button size="s" onClick={() => onUse(text)}>
              {t('suggestion.use')}
            </Button>
          )}
        </>
      )}
    </section>
  )
}
