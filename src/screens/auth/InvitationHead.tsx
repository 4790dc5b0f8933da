import { useTranslation } from 'react-i18next'
import type { InvitationLook } from '../../../server/contracts/invitations'
import { formatDate } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { PageTitle } from '../../ui/PageTitle'
import styles from './auth.module.css'

/** Who invites, the project, the roles, and the expiry. */
export function InvitationHead({ invitation }: { invitation: NonNullable<InvitationLook['invitation']> }) {
  const { t } = useTranslation(['auth', 'members'])
  const { project, invited_by, roles, expires_at } = invitation
  const title = t('invite.title', { project })
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <h1 className={styles.title}>{title}</h1>
      <div className={styles.message}>
        <p>{t('invite.by', { by: invited_by ?? t('invite.somebody') })}</p>
        <ul className={styles.invitedAs}>
          {roles.map((role) => (
            <li key={role}>
              <Badge>{t(`members:role.${role}.name`)}</Badge> {t(`members:role.${role}.does`)}
            </li>
          ))}
        </ul>
        <p>{t('invite.until', { day: formatDate(expires_at, 'long') })}</p>
      </div>
    </>
  )
}
