import { Bell } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useCan } from '../api/account'
import { IconButton } from '../ui/IconButton'
import { Popover } from '../ui/Popover'
import { useNewsStore } from './notificationNews'
import styles from './notifications.module.css'

const NotificationList = lazy(() => import('./NotificationList'))

/** Opens the account's notifications, and says how many are not seen. */
export function NotificationBell({ position }: { position: 'right-end' | 'top-end' | 'bottom-end' }) {
  const { t } = useTranslation()
  const { project } = useAccount().user
  const mayView = useCan('conversations.view')
  const unseen = useNewsStore((state) => state.unseen)
  const [open, setOpen] = useState(false)
  if (!project || !mayView) return null
  const label = unseen > 0 ? t('notifications.unseen', { count: unseen }) : t('notifications.title')
  return (
    <Popover opened={open} onChange={setOpen} position={position} width={360} trapFocus returnFocus withinPortal>
      <span className={styles.bell}>
        <Popover.Target>
          <IconButton label={label} icon={<Bell />} onClick={() => setOpen(!open)} />
        </Popover.Target>
        {unseen > 0 && (
          <span className={styles.count} aria-hidden="true">
            {unseen > 99 ? '99+' : unseen}
          </span>
        )}
      </span>
      <Popover.Dropdown className={styles.dropdown} aria-label={t('notifications.title')}>
        <Suspense fallback={<div className={styles.loading} />}>
          {open && <NotificationList pgid={project.gid} onLeave={() => setOpen(false)} />}
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
