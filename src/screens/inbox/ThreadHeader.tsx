import {
  ArrowLeft,
  Bot,
  CircleCheck,
  Clock,
  Eye,
  Hand,
  Languages,
  Merge,
  PanelRight,
  Printer,
  RotateCcw,
  UserRoundPlus,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ConversationChange, InboxConversation, InboxSetup } from '../../../server/contracts/inbox'
import { useCan } from '../../api/account'
import { keyCaps } from '../../canvas/keyboard/chord'
import { formatMoment } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { KeyHint } from '../../ui/KeyHint'
import { Menu, MenuEntry } from '../../ui/Menu'
import { DeleteConversation } from './DeleteConversation'
import { DueSign } from './DueSign'
import styles from './inbox.module.css'
import { useInboxPlace } from './inboxPlace'
import { visitorName } from './names'
import { PersonFace } from './PersonFace'
import { SnoozeMenu } from './SnoozeMenu'
import { useChanges } from './useChanges'
import type { Others } from './usePresence'
import type { Translations } from './useTranslations'

interface ThreadHeaderProps {
  conversation: InboxConversation
  setup: InboxSetup
  others: Others
  translations: Translations
  onDetails: () => void
  onMerge: () => void
  /** asks until when it is put away */
  onSnooze: () => void
  onPrint: () => void
  /** what is not on the screen yet is being read */
  isPrinting: boolean
}

/** Who it is with and who has it, and what is done with all of it. */
export function ThreadHeader(props: ThreadHeaderProps) {
  const { conversation, setup, others, translations, onDetails, onMerge, onSnooze, onPrint, isPrinting } = props
  const { t } = useTranslation('inbox')
  const place = useInboxPlace()
  const mayChange = useCan('conversations.update')
  const changes = useChanges(place.pgid)
  const { gid, status, assignee, snoozed_until: snoozedUntil } = conversation
  const act = (change: ConversationChange) => changes.mutate({ conversations: [gid], change })
  const isMine = assignee?.gid === setup.me
  const also = others.typing.length > 0 ? others.typing : others.looking
  return (
    <header className={styles.threadHead}>
      <span className={styles.back}>
        <IconButton label={t('back')} icon={<ArrowLeft size={16} />} onClick={() => place.open(null)} />
      </span>
      <div className={styles.threadName}>
        <h2>{visitorName(conversation, t)}</h2>
        <span className={styles.threadState}>
          <span>
            {status === 'closed'
              ? t('status.closed')
              : status === 'bot'
                ? t('withBot')
                : assignee
                  ? t('withPerson', { name: isMine ? t('you') : assignee.name })
                  : t('withNobody')}
          </span>
          {conversation.due && !snoozedUntil && <DueSign due={conversation.due} />}
          {snoozedUntil && <span>{t('snoozedUntil', { at: formatMoment(snoozedUntil) })}</span>}
          {also.length > 0 && (
            <span className={styles.also} role="status">
              <Eye size={12} aria-hidden />
              {t(others.typing.length > 0 ? 'colleagueTypes' : 'colleagueLooks', { names: also.join(', ') })}
            </span>
          )}
        </span>
        <p data-paper>
          {[
            conversation.chatbot.name,
            formatMoment(conversation.started_at),
            conversation.contact?.email,
            conversation.contact?.phone,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      {conversation.environment === 'editor' && <Badge tone="warning">{t('test')}</Badge>}
      {translations.model && (
        <IconButton
          label={t(translations.isOn ? 'translation.off' : 'translation.on')}
          icon={<Languages size={16} />}
          active={translations.isOn}
          onClick={translations.toggle}
        />
      )}
      {mayChange && (
        <div className={styles.threadActions}>
          {status !== 'closed' && !(status === 'person' && isMine) && (
            <Button
              size="s"
              design="primary"
              icon={<Hand size={14} />}
              loading={changes.isPending}
              onClick={() => act({ status: 'person' })}
            >
              {t('takeOver')}
            </Button>
          )}
          {status !== 'closed' && status !== 'bot' && isMine && (
            <Button
              size="s"
              icon={<Bot size={14} />}
              loading={changes.isPending}
              onClick={() => act({ status: 'bot' })}
            >
              {t('giveBack')}
            </Button>
          )}
          <Menu position="bottom-end">
            <Menu.Target>
              <IconButton
                label={t('assign')}
                keys={<KeyHint keys={['a']} />}
                icon={<UserRoundPlus size={16} />}
                data-inbox-key="assign"
              />
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Label>{t('assignTo')}</Menu.Label>
              {setup.members.map((member) => (
                <MenuEntry
                  key={member.gid}
                  leftSection={<PersonFace person={member} />}
                  disabled={assignee?.gid === member.gid}
                  onClick={() => act({ assignee: member.gid })}
                >
                  {member.gid === setup.me ? t('me', { name: member.name }) : member.name}
                  {member.away && ` · ${t('away.away')}`}
                </MenuEntry>
              ))}
              {assignee && (
                <>
                  <Menu.Divider />
                  <MenuEntry onClick={() => act({ assignee: null })}>{t('nobody')}</MenuEntry>
                </>
              )}
            </Menu.Dropdown>
          </Menu>
          {status !== 'closed' && (
            <SnoozeMenu
              mayWake={snoozedUntil !== null}
              onSnooze={(until) => act({ snoozed_until: until })}
              onChoose={onSnooze}
            >
              <IconButton label={t('snooze.label')} icon={<Clock size={16} />} active={snoozedUntil !== null} />
            </SnoozeMenu>
          )}
          {conversation.others.length > 0 && (
            <IconButton label={t('merge.open')} icon={<Merge size={16} />} onClick={onMerge} />
          )}
          <IconButton
            label={status === 'closed' ? t('reopen') : t('close')}
            keys={status === 'closed' ? undefined : <KeyHint keys={['e']} />}
            icon={status === 'closed' ? <RotateCcw size={16} /> : <CircleCheck size={16} />}
            onClick={() => act({ status: status === 'closed' ? 'open' : 'closed' })}
          />
        </div>
      )}
      <IconButton
        label={t(isPrinting ? 'printing' : 'print')}
        keys={<KeyHint keys={keyCaps('mod+p')} />}
        icon={<Printer size={16} />}
        disabled={isPrinting}
        onClick={onPrint}
      />
      {conversation.environment !== 'editor' && (
        <DeleteConversation
          pgid={place.pgid}
          conversation={gid}
          name={visitorName(conversation, t)}
          onDeleted={() => place.open(null)}
        />
      )}
      <span className={styles.detailsOpen}>
        <IconButton label={t('details.label')} icon={<PanelRight size={16} />} onClick={onDetails} />
      </span>
    </header>
  )
}
