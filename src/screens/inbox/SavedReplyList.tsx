import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { SavedReply } from '../../../server/contracts/inbox'
import styles from './inbox.module.css'

interface SavedReplyListProps {
  replies: readonly SavedReply[]
  /** the one that Enter takes */
  active: SavedReply | undefined
  onPick: (one: SavedReply) => void
}

/** Saved replies that match what is typed after a slash; the arrows choose among them. */
export function SavedReplyList({ replies, active, onPick }: SavedReplyListProps) {
  const { t } = useTranslation('inbox')
  const chosen = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (active) chosen.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <ul className={styles.savedList} aria-label={t('reply.saved')}>
      {replies.map((reply) => (
        <li key={reply.gid} {...(reply === active && { ref: chosen, 'data-active': true, 'aria-current': true })}>
          <button type="button" onMouseDown={(event) => event.preventDefault()} onClick={() => onPick(reply)}>
            <strong>/{reply.shortcut}</strong>
            <span>{reply.body}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
