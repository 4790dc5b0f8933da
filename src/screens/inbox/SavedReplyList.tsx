import { useTranslation } from 'react-i18next'
import type { SavedReply } from '../../../server/contracts/inbox'
import styles from './inbox.module.css'

/** Saved replies that match what is typed after a slash; Enter takes the first. */
export function SavedReplyList({
  replies,
  onPick,
}: {
  replies: readonly SavedReply[]
  onPick: (one: SavedReply) => void
}) {
  const { t } = useTranslation('inbox')
  return (
    <ul className={styles.savedList} aria-label={t('reply.saved')}>
      {replies.map((reply, index) => (
        <li key={reply.gid} data-first={index === 0 || undefined}>
          <button type="button" onMouseDown={(event) => event.preventDefault()} onClick={() => onPick(reply)}>
            <strong>/{reply.shortcut}</strong>
            <span>{reply.body}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
