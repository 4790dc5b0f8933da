import { CircleCheck, Tag, UserRoundPlus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ConversationChange, InboxSetup } from '../../../server/contracts/inbox'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { Menu, MenuEntry } from '../../ui/Menu'
import styles from './inbox.module.css'
import { useInboxPlace } from './inboxPlace'
import { LabelDot } from './LabelDot'
import { useChanges } from './useChanges'

interface BulkBarProps {
  chosen: string[]
  setup: InboxSetup
  onAll: () => void
  onDone: () => void
}

/** What is done with several conversations at once. */
export function BulkBar({ chosen, setup, onAll, onDone }: BulkBarProps) {
  const { t } = useTranslation('inbox')
  const { pgid } = useInboxPlace()
  const changes = useChanges(pgid)
  const act = (change: ConversationChange) =>
    changes.mutate({ conversations: chosen.slice(0, 100), change }, { onSuccess: onDone })
  return (
    <div className={styles.bulk} role="toolbar" aria-label={t('bulk.label')}>
      <IconButton size="s" label={t('bulk.none')} icon={<X size={14} />} onClick={onDone} />
      <span className={styles.bulkCount} role="status">
        {t('bulk.chosen', { count: chosen.length })}
      </span>
      <Button size="s" design="ghost" onClick={onAll}>
        {t('bulk.all')}
      </Button>
      <span className={styles.space} />
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton size="s" label={t('assign')} icon={<UserRoundPlus size={15} />} />
        </Menu.Target>
        <Menu.Dropdown>
          {setup.members.map(({ gid, name }) => (
            <MenuEntry key={gid} onClick={() => act({ assignee: gid })}>
              {name}
            </MenuEntry>
          ))}
        </Menu.Dropdown>
      </Menu>
      {setup.labels.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <IconButton size="s" label={t('addLabel')} icon={<Tag size={15} />} />
          </Menu.Target>
          <Menu.Dropdown>
            {setup.labels.map(({ gid, name, colour }) => (
              <MenuEntry
                key={gid}
                leftSection={<LabelDot colour={colour} />}
                onClick={() => act({ add_labels: [gid] })}
              >
                {name}
              </MenuEntry>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <IconButton
        size="s"
        label={t('close')}
        icon={<CircleCheck size={15} />}
        onClick={() => act({ status: 'closed' })}
      />
    </div>
  )
}
