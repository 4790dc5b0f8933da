import { useQuery } from '@tanstack/react-query'
import {
  Bot,
  ChevronsUp,
  CircleCheck,
  Clock,
  Hand,
  Inbox,
  Keyboard,
  Merge,
  RotateCcw,
  UserRoundPlus,
} from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type ConversationChange,
  type InboxConversation,
  type InboxSetup,
  inboxViews,
  priorities,
} from '../../../server/contracts/inbox'
import { useCan } from '../../api/account'
import { inboxConversationQuery } from '../../api/inbox'
import { formatMoment } from '../../i18n/format'
import { useScreenRows } from '../../palette/paletteStore'
import type { FinderRow, FinderSection } from '../../ui/finder/Finder'
import type { InboxPlace } from './inboxPlace'
import { LabelDot } from './LabelDot'
import { visitorName } from './names'
import { PersonFace } from './PersonFace'
import { snoozeTimes } from './snoozeTimes'
import { useChanges } from './useChanges'

/** What Ctrl-K offers in the inbox: what is done with the open conversation, and the views. */
export function useInboxRows(
  place: InboxPlace,
  setup: InboxSetup | undefined,
  { onKeys, onMerge, onSnooze }: { onKeys: () => void; onMerge: () => void; onSnooze: () => void },
): void {
  const { t } = useTranslation('inbox')
  const { pgid, conversation: gid } = place
  // the place is another object each time: the rows need not be
  const present = useRef(place)
  useEffect(() => {
    present.current = place
  })
  const mayChange = useCan('conversations.update')
  const { mutate } = useChanges(pgid)
  const { data: conversation } = useQuery({
    ...inboxConversationQuery(pgid, gid ?? ''),
    enabled: gid !== undefined,
  })
  const sections = useMemo((): FinderSection[] => {
    const views = inboxViews.map(
      (view): FinderRow => ({
        key: `inbox view ${view}`,
        icon: <Inbox size={15} />,
        title: t('palette.view', { view: t(`views.${view}`) }),
        onChoose: () => present.current.show(view),
      }),
    )
    const help = {
      key: 'inbox keys',
      icon: <Keyboard size={15} />,
      title: t('keys.title'),
      keys: ['?'],
      onChoose: onKeys,
    }
    const snoozing = {
      key: 'inbox snooze',
      icon: <Clock size={15} />,
      title: t('palette.snooze', { when: t('snooze.choose') }),
    }
    const merging = { key: 'inbox merge', icon: <Merge size={15} />, title: t('merge.open') }
    const here: FinderSection[] =
      conversation && setup && mayChange
        ? [
            {
              id: 'inbox conversation',
              title: visitorName(conversation, t),
              rows: [
                ...rowsOf(conversation, setup, t, (change) => mutate({ conversations: [conversation.gid], change })),
                ...(conversation.status !== 'closed' ? [{ ...snoozing, onChoose: onSnooze }] : []),
                ...(conversation.others.length > 0 ? [{ ...merging, onChoose: onMerge }] : []),
              ],
            },
          ]
        : []
    return [...here, { id: 'inbox views', title: t('title'), rows: [...views, help] }]
  }, [conversation, setup, mayChange, mutate, onKeys, onMerge, onSnooze, t])
  useScreenRows(sections)
}

type Translate = ReturnType<typeof useTranslation<'inbox'>>['t']

/** What may be done with a conversation as it is. */
function rowsOf(
  { status, assignee, labels, priority, snoozed_until: snoozedUntil }: InboxConversation,
  setup: InboxSetup,
  t: Translate,
  act: (change: ConversationChange) => void,
): FinderRow[] {
  const row = (
    key: string,
    icon: ReactNode,
    title: string,
    change: ConversationChange,
    more: Partial<FinderRow> = {},
  ) => ({
    key: `inbox do ${key}`,
    icon,
    title,
    onChoose: () => act(change),
    ...more,
  })
  const isOpen = status !== 'closed'
  const isMine = status === 'person' && assignee?.gid === setup.me
  return [
    ...(isOpen && !isMine ? [row('take', <Hand size={15} />, t('takeOver'), { status: 'person' })] : []),
    ...(isOpen && isMine ? [row('give', <Bot size={15} />, t('giveBack'), { status: 'bot' })] : []),
    isOpen
      ? row('close', <CircleCheck size={15} />, t('close'), { status: 'closed' }, { keys: ['e'] })
      : row('open', <RotateCcw size={15} />, t('reopen'), { status: 'open' }),
    ...setup.members
      .filter(({ gid }) => gid !== assignee?.gid)
      .map((member) =>
        row(
          `assign ${member.gid}`,
          <PersonFace person={member} size={16} />,
          t('palette.assign', { name: member.name }),
          { assignee: member.gid },
        ),
      ),
    ...(assignee ? [row('free', <UserRoundPlus size={15} />, t('palette.free'), { assignee: null })] : []),
    ...setup.labels.map(({ gid, name, colour }) =>
      labels.includes(gid)
        ? row(`label ${gid}`, <LabelDot colour={colour} />, t('palette.unlabel', { name }), { remove_labels: [gid] })
        : row(`label ${gid}`, <LabelDot colour={colour} />, t('palette.label', { name }), { add_labels: [gid] }),
    ),
    ...priorities
      .filter((level) => level !== priority)
      .map((level) =>
        row(`priority ${level}`, <ChevronsUp size={15} />, t('palette.priority', { name: t(`priority.${level}`) }), {
          priority: level,
        }),
      ),
    ...(isOpen
      ? snoozeTimes(new Date()).map(({ name, at }) =>
          row(
            `snooze ${name}`,
            <Clock size={15} />,
            t('palette.snooze', { when: t(`snooze.${name}`) }),
            { snoozed_until: at.toISOString() },
            { detail: formatMoment(at) },
          ),
        )
      : []),
    ...(snoozedUntil ? [row('wake', <Clock size={15} />, t('snooze.wake'), { snoozed_until: null })] : []),
  ]
}
