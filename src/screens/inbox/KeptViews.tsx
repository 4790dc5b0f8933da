import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bookmark, Ellipsis, Users } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InboxSetup, InboxTeam } from '../../../server/contracts/inbox'
import { forgetView, type KeptView } from '../../../server/contracts/inboxViews'
import { useCan } from '../../api/account'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { keptViewsQuery, refreshKeptViews } from '../../api/inboxViews'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { IconButton } from '../../ui/IconButton'
import { Menu, MenuEntry } from '../../ui/Menu'
import { notify } from '../../ui/notify'
import { Count } from './Count'
import styles from './inbox.module.css'
import { keptOf, useInboxPlace } from './inboxPlace'
import { KeepViewDialog } from './KeepViewDialog'

/** Which of the kept views is on the screen. */
export function useShownView(): KeptView | undefined {
  const place = useInboxPlace()
  const { data: kept } = useQuery(keptViewsQuery(place.pgid))
  const shown = sorted(keptOf(place, Date.now()))
  return kept?.find(({ view, filters }) => sorted({ view, filters }) === shown)
}
const sorted = ({ view, filters }: Pick<KeptView, 'view' | 'filters'>) =>
  JSON.stringify([view, ...Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))])

interface KeptViewsProps {
  setup: InboxSetup | undefined
  counts: Readonly<Record<string, number>> | undefined
}

/** The views that have a name, as items of the list of views: one's own, and those that are shared with one. */
export function KeptViews({ setup, counts }: KeptViewsProps) {
  const { pgid } = useInboxPlace()
  const { data: kept = [] } = useQuery(keptViewsQuery(pgid))
  const shown = useShownView()
  return kept.map((view) => (
    <Kept
      key={view.gid}
      view={view}
      teams={setup?.teams ?? []}
      count={counts?.[view.gid] ?? 0}
      isShown={view.gid === shown?.gid}
    />
  ))
}

interface KeptProps {
  view: KeptView
  teams: readonly InboxTeam[]
  count: number
  isShown: boolean
}

function Kept({ view, teams, count, isShown }: KeptProps) {
  const { t } = useTranslation('inbox')
  const place = useInboxPlace()
  const client = useQueryClient()
  const mayShare = useCan('conversations.update')
  const [dialog, setDialog] = useState<'change' | 'forget' | null>(null)
  const { gid, name, shared_with: sharedWith } = view
  const forget = useMutation({
    mutationFn: () => callRoute(forgetView, { params: { pgid: place.pgid, gid } }),
    onSuccess: () => setDialog(null),
    onError: (error) => notify.error(failureText(error, t('failed'))),
    onSettled: () => refreshKeptViews(client, place.pgid),
  })
  const team = teams.find((one) => one.gid === sharedWith)?.name
  const audience = team === undefined ? t('kept.forEverybody') : t('kept.forTeam', { name: team })
  const Icon = sharedWith === null ? Bookmark : Users
  return (
    <li className={styles.kept} data-shown={isShown || undefined}>
      <button
        type="button"
        className={styles.view}
        aria-current={isShown ? 'page' : undefined}
        title={sharedWith === null ? undefined : t('kept.sharedBy', { audience, by: view.by ?? t('formerMember') })}
        onClick={() => place.showKept(view)}
      >
        <Icon size={15} aria-hidden />
        <span className={styles.viewName}>{name}</span>
        <Count count={count} />
      </button>
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton size="s" label={t('kept.more', { name })} icon={<Ellipsis size={14} />} />
        </Menu.Target>
        <Menu.Dropdown>
          {mayShare && <MenuEntry onClick={() => setDialog('change')}>{t('kept.change')}</MenuEntry>}
          <MenuEntry onClick={() => (sharedWith === null ? forget.mutate() : setDialog('forget'))}>
            {t('kept.forget')}
          </MenuEntry>
        </Menu.Dropdown>
      </Menu>
      <KeepViewDialog
        key={`${name} ${sharedWith}`}
        opened={dialog === 'change'}
        view={view}
        teams={teams}
        onClose={() => setDialog(null)}
      />
      <ConfirmDialog
        opened={dialog === 'forget'}
        title={t('kept.forgetTitle', { name })}
        message={t('kept.forgetShared', { audience })}
        confirm={t('kept.forget')}
        danger
        loading={forget.isPending}
        onConfirm={() => forget.mutate()}
        onClose={() => setDialog(null)}
      />
    </li>
  )
}
