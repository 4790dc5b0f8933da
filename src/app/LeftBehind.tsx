import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../api/account'
import { failureText } from '../api/failure'
import type { KeptStay } from '../collab/editStore'
import { discardStay, leftBehindOf } from '../collab/keptEdits'
import { formatMoment } from '../i18n/format'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { downloadText } from '../ui/downloadText'
import { notify } from '../ui/notify'
import styles from './LeftBehind.module.css'

/** Edits of closed tabs that did not reach the server: where to continue, or what else to do with them. */
export function LeftBehind() {
  const { t } = useTranslation()
  const { ui: user } = useAccount().user
  const left = useQuery({
    queryKey: ['leftBehind', user],
    queryFn: () => leftBehindOf(user),
    staleTime: 0,
    gcTime: 0,
    // it reads from this device, not from the server
    networkMode: 'always',
  })
  const [discarding, setDiscarding] = useState<KeptStay | null>(null)
  if (!left.data?.length) return null
  const download = async ({ id, place }: KeptStay) => {
    const { keptVersion } = await import('../collab/keptVersion')
    downloadText(await keptVersion(user, id), `${place.name}.parley.json`)
  }
  const discard = async ({ id }: KeptStay) => {
    await discardStay(user, id)
    setDiscarding(null)
    await left.refetch()
  }
  const failed = (error: unknown) => notify.error(failureText(error, t('leftBehind.failed')))
  return (
    <section className={styles.notice} aria-label={t('leftBehind.label')}>
      {left.data.map((stay) => (
        <div key={stay.id} className={styles.stay}>
          <p>
            {t('leftBehind.unsent', {
              count: stay.edits,
              name: stay.place.name,
              since: formatMoment(new Date(stay.since)),
            })}
          </p>
          <Button size="s" to={`/projects/${stay.place.pgid}/chatbots/${stay.place.cgid}/builder?flow=${stay.room}`}>
            {t('leftBehind.open')}
          </Button>
          <Button size="s" onClick={() => void download(stay).catch(failed)}>
            {t('leftBehind.download')}
          </Button>
          <Button size="s" design="ghost" onClick={() => setDiscarding(stay)}>
            {t('leftBehind.discard')}
          </Button>
        </div>
      ))}
      <ConfirmDialog
        opened={discarding !== null}
        title={t('leftBehind.discardTitle')}
        message={t('leftBehind.sure', { count: discarding?.edits ?? 0, name: discarding?.place.name })}
        confirm={t('leftBehind.discard')}
        danger
        onConfirm={() => discarding && void discard(discarding).catch(failed)}
        onClose={() => setDiscarding(null)}
      />
    </section>
  )
}
