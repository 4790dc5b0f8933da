import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bookmark, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { forgetView, type KeptView } from '../../../server/contracts/inboxViews'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { keptViewsQuery, refreshKeptViews } from '../../api/inboxViews'
import { IconButton } from '../../ui/IconButton'
import { notify } from '../../ui/notify'
import styles from './inbox.module.css'
import { keptOf, useInboxPlace } from './inboxPlace'

/** Which of the kept views is on the screen. */
export function useShownView(): KeptView | undefined {
  const place = useInboxPlace()
  const { data: kept } = useQuery(keptViewsQuery(place.pgid))
  const shown = sorted(keptOf(place, Date.now()))
  return kept?.find(({ view, filters }) => sorted({ view, filters }) === shown)
}
const sorted = ({ view, filters }: Pick<KeptView, 'view' | 'filters'>) =>
  JSON.stringify([view, ...Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))])

/** The views that one keeps under a name, as items of the list of views. */
export function KeptViews() {
  const { t } = useTranslation('inbox')
  const place = useInboxPlace()
  const client = useQueryClient()
  const { data: kept = [] } = useQuery(keptViewsQuery(place.pgid))
  const shown = useShownView()
  const forget = useMutation({
    mutationFn: (gid: string) => callRoute(forgetView, { params: { pgid: place.pgid, gid } }),
    onError: (error) => notify.error(failureText(error, t('failed'))),
    onSettled: () => refreshKeptViews(client, place.pgid),
  })
  return kept.map((view) => (
    <li key={view.gid} className={styles.kept}>
      <button
        type="button"
        className={styles.view}
        aria-current={view.gid === shown?.gid ? 'page' : undefined}
        onClick={() => place.showKept(view)}
      >
        <Bookmark size={15} aria-hidden />
        <span className={styles.viewName}>{view.name}</span>
      </button>
      <IconButton
        size="s"
        label={t('kept.forget', { name: view.name })}
        icon={<X size={13} />}
        onClick={() => forget.mutate(view.gid)}
      />
    </li>
  ))
}
