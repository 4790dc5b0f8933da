import { CircleCheck, Clock, RotateCcw, Tag, UserRoundPlus, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConversationChange, InboxEntry, InboxSetup } from '../../../server/contracts/inbox'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { Menu, MenuEntry } from '../../ui/Menu'
import styles from './inbox.module.css'
import { useInboxPlace } from './inboxPlace'
import { LabelDot } from './LabelDot'
import { PersonFace } from './PersonFace'
import { SnoozeDialog } from './SnoozeDialog'
import { SnoozeMenu } from './SnoozeMenu'
import { useChanges } from './useChanges'

interface BulkBarProps {
  chosen: readonly InboxEntry[]
  setup: InboxSetup
  onAll: () => void
  /** @param left those that stay chosen */
  onDone: (left: string[]) => void
}

const gidsOf = (entries: readonly InboxEntry[]) => entries.map(({ gid }) => gid)

/** What is done with several conversations at once. */
export function BulkBar({ chosen, setup, onAll, onDone }: BulkBarProps) {
  const { t } = useTranslation('inbox')
  const { pgid } = useInboxPlace()
  const changes = useChanges(pgid)
  const [snoozes, setSnoozes] = useState<string[] | null>(null)
  const open = chosen.filter(({ status }) => status !== 'closed')
  const closed = chosen.filter(({ status }) => status === 'closed')
  const snoozed = open.filter((entry) => entry.snoozed_until !== null)
  const act = (change: ConversationChange, entries = chosen) =>
    changes.mutate(
      { conversations: gidsOf(entries), change },
      // those that were not changed are there to be tried again
      { onSuccess: ({ failed }) => onDone(failed.map(({ conversation }) => conversation)) },
    )
  return (
    <div className={styles.bulk} role="toolbar" aria-label={t('bulk.label')}>
      <IconButton size="s" label={t('bulk.none')} icon={<X size={14} />} onClick={() => onDone([])} />
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
          {setup.members.map((member) => (
            <MenuEntry
              key={member.gid}
              leftSection={<PersonFace person={member} />}
              onClick={() => act({ assignee: member.gid })}
            >
              {member.name}
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
      {open.length > 0 && (
        <SnoozeMenu
          mayWake={snoozed.length > 0}
          onSnooze={(until) => act({ snoozed_until: until }, until === null ? snoozed : open)}
          onChoose={() => setSnoozes(gidsOf(open))}
        >
          <IconButton size="s" label={t('snooze.label')} icon={<Clock size={15} />} />
        </SnoozeMenu>
      )}
      {closed.length > 0 && (
        <IconButton
          size="s"
          label={t('reopen')}
          icon={<RotateCcw size={15} />}
          onClick={() => act({ status: 'open' }, closed)}
        />
      )}
      {open.length > 0 && (
        <IconButton
          size="s"
          label={t('close')}
          icon={<CircleCheck size={15} />}
          onClick={() => act({ status: 'closed' }, open)}
        />
      )}
      {snoozes && <SnoozeDialog pgid={pgid} conversations={snoozes} onDone={onDone} onClose={() => setSnoozes(null)} />}
    </div>
  )
}
