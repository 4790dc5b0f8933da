import {
  Copy,
  Ellipsis,
  ExternalLink,
  MessageCircleQuestionMark,
  PencilLine,
  Pin,
  PinOff,
  SlidersHorizontal,
  Trash2,
  Workflow,
} from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Chatbot, type ListedChatbot, platforms } from '../../server/contracts/chatbots'
import { useAccount, useCan } from '../api/account'
import { NAME_CAP, useChatbotChanges } from '../api/chatbots'
import { failureText, fieldOr } from '../api/failure'
import { useFirstSteps } from '../api/firstSteps'
import { useShareLink } from '../api/shareLink'
import { formatMoment, formatSince } from '../i18n/format'
import { Badge } from '../ui/Badge'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { IconButton } from '../ui/IconButton'
import { Menu, MenuEntry } from '../ui/Menu'
import { NameDialog } from '../ui/NameDialog'
import { notify } from '../ui/notify'
import styles from './chatbots.module.css'
import { PublicationState } from './PublicationState'

type Asking = 'rename' | 'remove' | null

/** A row of the list: its name links to the chatbot's first screen, its menu has the actions. */
export function ChatbotRow({ pgid, chatbot }: { pgid: string; chatbot: ListedChatbot }) {
  const { t } = useTranslation('chatbots')
  const [asking, setAsking] = useState<Asking>(null)
  const { name, updated_at, updated_by, conversations, setup_steps } = chatbot
  const left = setup_steps.filter(({ done }) => !done).length
  const isFirst = useAccount().user.settings.default_chatbot_id === chatbot.gid
  const first = useCan('builder.view') ? 'builder' : 'analytics'
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <span className={styles.named}>
          <Link to={`/projects/${pgid}/chatbots/${chatbot.gid}/${first}`} className={styles.name}>
            {name}
          </Link>
          {isFirst && <Pin size={13} aria-label={t('list.first')} />}
        </span>
        <span className={styles.facts}>
          <time dateTime={updated_at} title={formatMoment(updated_at)}>
            {t(updated_by ? 'list.changedBy' : 'list.changed', { since: formatSince(updated_at), by: updated_by })}
          </time>
          {left > 0 && <span className={styles.left}>{t('list.left', { count: left })}</span>}
        </span>
      </div>
      <span className={styles.state}>
        {chatbot.platform_id === platforms.messaging && <Badge>{t('platform.messaging')}</Badge>}{' '}
        {chatbot.sample && <Badge tone="warning">{t('list.sample')}</Badge>}{' '}
        {chatbot.over_limit && <Badge tone="warning">{t('list.readOnly')}</Badge>}{' '}
        <PublicationState chatbot={chatbot} />
      </span>
      <span className={styles.count}>
        {conversations !== null && t('list.conversations', { count: conversations })}
      </span>
      <RowMenu pgid={pgid} chatbot={chatbot} onAsk={setAsking} />
      <RowDialogs pgid={pgid} chatbot={chatbot} asking={asking} onClose={() => setAsking(null)} />
    </li>
  )
}

function RowMenu({ pgid, chatbot, onAsk }: { pgid: string; chatbot: Chatbot; onAsk: (asking: Asking) => void }) {
  const { t } = useTranslation('chatbots')
  const { t: common } = useTranslation()
  const may = {
    update: useCan('chatbots.update') && !chatbot.over_limit,
    duplicate: useCan('chatbots.duplicate') && !chatbot.over_limit,
    remove: useCan('chatbots.delete'),
  }
  const builder = useCan('builder.view')
  const testing = useCan('playground.view')
  const settings = useCan('settings.view')
  const link = useShareLink(chatbot)
  const { duplicate } = useChatbotChanges(pgid)
  const { start } = useFirstSteps()
  const isFirst = useAccount().user.settings.default_chatbot_id === chatbot.gid
  const home = `/projects/${pgid}/chatbots/${chatbot.gid}`
  const copy = () =>
    duplicate.mutate(chatbot.gid, {
      onSuccess: ({ name }) => notify.success(t('duplicate.done', { name })),
      onError: (error) => notify.error(failureText(error, common('errors.message'))),
    })
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <IconButton size="s" tooltip={false} label={t('menu.label', { name: chatbot.name })} icon={<Ellipsis />} />
      </Menu.Target>
      <Menu.Dropdown>
        {chatbot.version === 1 && testing && (
          <MenuEntry to={`${home}/playground`} leftSection={<MessageCircleQuestionMark size={15} />}>
            {t('menu.test')}
          </MenuEntry>
        )}
        {chatbot.version !== 1 && builder && (
          <MenuEntry to={`${home}/builder`} leftSection={<Workflow size={15} />}>
            {t('menu.open')}
          </MenuEntry>
        )}
        {chatbot.published && (
          <Menu.Item component="a" href={link} target="_blank" leftSection={<ExternalLink size={15} />}>
            {t('menu.page')}
          </Menu.Item>
        )}
        {settings && (
          <MenuEntry to={`${home}/settings/general`} leftSection={<SlidersHorizontal size={15} />}>
            {t('menu.settings')}
          </MenuEntry>
        )}
        <MenuEntry
          leftSection={isFirst ? <PinOff size={15} /> : <Pin size={15} />}
          onClick={() => start.mutate({ default_chatbot_id: isFirst ? null : chatbot.gid })}
        >
          {t(isFirst ? 'menu.notFirst' : 'menu.first')}
        </MenuEntry>
        {(may.update || may.duplicate || may.remove) && <Menu.Divider />}
        {may.update && (
          <MenuEntry leftSection={<PencilLine size={15} />} onClick={() => onAsk('rename')}>
            {common('actions.rename')}
          </MenuEntry>
        )}
        {may.duplicate && (
          <MenuEntry leftSection={<Copy size={15} />} onClick={copy}>
            {common('actions.duplicate')}
          </MenuEntry>
        )}
        {may.remove && (
          <MenuEntry danger leftSection={<Trash2 size={15} />} onClick={() => onAsk('remove')}>
            {common('actions.delete')}
          </MenuEntry>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

interface RowDialogsProps {
  pgid: string
  chatbot: Chatbot
  asking: Asking
  onClose: () => void
}

function RowDialogs({ pgid, chatbot: { gid, name }, asking, onClose }: RowDialogsProps) {
  const { t } = useTranslation('chatbots')
  const { t: common } = useTranslation()
  const { update, remove } = useChatbotChanges(pgid)
  const close = () => {
    update.reset()
    remove.reset()
    onClose()
  }
  const closeWith = (message: string) => ({
    onSuccess: () => {
      close()
      notify.success(message)
    },
  })
  return (
    <>
      <NameDialog
        opened={asking === 'rename'}
        title={t('rename.title')}
        label={t('rename.label')}
        submit={common('actions.rename')}
        initial={name}
        maxLength={NAME_CAP}
        loading={update.isPending}
        error={update.error ? fieldOr(update.error, 'name', common('errors.message')) : undefined}
        onSubmit={(to) => update.mutate({ cgid: gid, name: to }, closeWith(t('rename.done')))}
        onClose={close}
      />
      <ConfirmDialog
        opened={asking === 'remove'}
        title={t('remove.title')}
        message={t('remove.ask', { name })}
        confirm={t('remove.submit')}
        typeName={name}
        danger
        loading={remove.isPending}
        error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
        onConfirm={(typed) => remove.mutate({ cgid: gid, name: typed }, closeWith(t('remove.done')))}
        onClose={close}
      />
    </>
  )
}
