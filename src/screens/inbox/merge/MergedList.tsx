import { useTranslation } from 'react-i18next'
import type { InboxConversation } from '../../../../server/contracts/inbox'
import { useCan } from '../../../api/account'
import { formatMoment } from '../../../i18n/format'
import { Button } from '../../../ui/Button'
import { useInboxPlace } from '../inboxPlace'
import styles from './merge.module.css'
import { useMerging } from './useMerging'

/** The conversations that were merged into one, each with its undo while that is possible. */
export function MergedList({ conversation }: { conversation: InboxConversation }) {
  const { t } = useTranslation('inbox')
  const { pgid } = useInboxPlace()
  const mayChange = useCan('conversations.update')
  const { separate } = useMerging(pgid, conversation.gid)
  return (
    <ul className={styles.merged}>
      {conversation.merged.map(({ gid, at, undo_until: until }) => (
        <li key={gid}>
          <span>{formatMoment(at)}</span>
          {mayChange && Date.parse(until) > Date.now() && (
            <Button
              size="s"
              design="ghost"
              aria-label={t('merge.undoOf', { at: formatMoment(at) })}
              loading={separate.isPending && separate.variables === gid}
              onClick={() => separate.mutate(gid)}
            >
              {t('merge.undo')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
