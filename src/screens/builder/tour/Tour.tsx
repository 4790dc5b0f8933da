import { GraduationCap } from 'lucide-react'
import { useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../../api/account'
import { hideAnnouncement } from '../../../api/settings'
import { type Action, useProvideActions } from '../../../canvas/actionRegistry'
import { useReadOnly } from '../../../collab/useFlow'
import { Button } from '../../../ui/Button'
import styles from './Tour.module.css'
import { TourCard } from './TourCard'

/**
 * The tour of the builder, in place of a film: offered to who edits for the first time, and found among the help
 * afterwards. Viewers are not offered it, since most of what it explains is not theirs.
 */
export function Tour() {
  const [running, setRunning] = useState(false)
  const readOnly = useReadOnly()
  const offered = !useAccount().user.settings.hide_builder_tutorial_video_popup
  const actions = useMemo<Action[]>(
    () => [{ id: 'tour', section: 'help', writes: true, icon: GraduationCap, run: () => setRunning(true) }],
    [],
  )
  useProvideActions(actions)
  if (readOnly) return null
  const end = () => {
    setRunning(false)
    if (offered) void putAway()
  }
  if (running) return createPortal(<TourCard onEnd={end} />, document.body)
  return offered && <Offer onStart={() => setRunning(true)} onRefuse={() => void putAway()} />
}

const putAway = () => hideAnnouncement('hide_builder_tutorial_video_popup')

function Offer({ onStart, onRefuse }: { onStart: () => void; onRefuse: () => void }) {
  const { t } = useTranslation('builder')
  return (
    <section className={styles.offer} aria-label={t('tour.offer')}>
      <h2 className={styles.title}>{t('tour.offer')}</h2>
      <p className={styles.text}>{t('tour.offerText')}</p>
      <div className={styles.buttons}>
        <Button size="s" design="primary" onClick={onStart}>
          {t('tour.start')}
        </Button>
        <Button size="s" design="ghost" onClick={onRefuse}>
          {t('tour.refuse')}
        </Button>
      </div>
    </section>
  )
}
