import { Ellipsis, RotateCw, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Invitation, SentInvitation } from '../../../server/contracts/members'
import { useAccount } from '../../api/account'
import { failureText } from '../../api/failure'
import { useMemberChanges } from '../../api/members'
import { ROLE } from '../../api/roles'
import { formatDate, formatMoment } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Card } from '../../ui/Card'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { IconButton } from '../../ui/IconButton'
import { Menu, MenuEntry } from '../../ui/Menu'
import { notify } from '../../ui/notify'
import styles from './members.module.css'
import { RoleChips } from './Roles'

interface InvitationsTableProps {
  pgid: string
  invitations: Invitation[]
  onSent: (sent: SentInvitation[]) => void
}

/** People who were invited and have not accepted yet. */
export function InvitationsTable({ pgid, invitations, onSent }: InvitationsTableProps) {
  const { t } = useTranslation('members')
  const { t: common } = useTranslation()
  const [revoking, setRevoking] = useState<Invitation | null>(null)
  const { resend, revoke } = useMemberChanges(pgid)
  const sendAgain = ({ gid }: Invitation) =>
    resend.mutate(gid, {
      onSuccess: (sent) => onSent([sent]),
      onError: (error) => notify.error(failureText(error, common('errors.message'))),
    })
  const close = () => {
    revoke.reset()
    setRevoking(null)
  }
  return (
    <Card flush title={t('pending.title')}>
      <table className={styles.table} aria-label={t('pending.title')}>
        <thead>
          <tr>
            <th scope="col">{t('pending.email')}</th>
            <th scope="col">{t('rolesLabel')}</th>
            <th scope="col" className={styles.when}>
              {t('pending.by')}
            </th>
            <th scope="col" className={styles.when}>
              {t('pending.expires')}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {invitations.map((invitation) => (
            <Row
              key={invitation.gid}
              invitation={invitation}
              busy={resend.isPending && resend.variables === invitation.gid}
              onResend={() => sendAgain(invitation)}
              onRevoke={() => setRevoking(invitation)}
            />
          ))}
        </tbody>
      </table>
      <ConfirmDialog
        opened={revoking !== null}
        danger
        title={t('pending.revokeTitle')}
        message={t('pending.revokeMessage', { email: revoking?.email })}
        confirm={t('pending.revoke')}
        loading={revoke.isPending}
        error={revoke.error ? failureText(revoke.error, common('errors.message')) : undefined}
        onConfirm={() =>
          revoking &&
          revoke.mutate(revoking.gid, {
            onSuccess: () => {
              notify.success(t('pending.revoked', { email: revoking.email }))
              close()
            },
          })
        }
        onClose={close}
      />
    </Card>
  )
}

interface RowProps {
  invitation: Invitation
  busy: boolean
  onResend: () => void
  onRevoke: () => void
}

function Row({ invitation, busy, onResend, onRevoke }: RowProps) {
  const { t } = useTranslation('members')
  const { email, roles, invited_by, expires_at, expired } = invitation
  const isOwner = useAccount().user.project_roles.includes(ROLE.OWNER)
  const locked = roles.includes(ROLE.OWNER) && !isOwner
  return (
    <tr>
      <th scope="row">
        <span className={styles.words}>
          <span className={styles.cut}>{email}</span>
          <span className={styles.onlySmall}>
            {expired ? (
              <Badge tone="warning">{t('pending.expired')}</Badge>
            ) : (
              t('pending.until', { day: formatDate(expires_at) })
            )}
          </span>
        </span>
      </th>
      <td>
        <RoleChips roles={roles} />
      </td>
      <td className={styles.when}>{invited_by ?? t('pending.byNobody')}</td>
      <td className={styles.when}>
        {expired ? (
          <Badge tone="warning">{t('pending.expired')}</Badge>
        ) : (
          <time dateTime={expires_at} title={formatMoment(expires_at)}>
            {formatDate(expires_at)}
          </time>
        )}
      </td>
      <td className={styles.end}>
        <Menu width={220} position="bottom-end">
          <Menu.Target>
            <IconButton
              size="s"
              label={t('actions', { name: email })}
              icon={<Ellipsis />}
              tooltip={false}
              aria-busy={busy || undefined}
            />
          </Menu.Target>
          <Menu.Dropdown>
            <MenuEntry leftSection={<RotateCw size={15} />} disabled={locked || busy} onClick={onResend}>
              {t('pending.resend')}
            </MenuEntry>
            <MenuEntry danger leftSection={<X size={15} />} disabled={locked} onClick={onRevoke}>
              {t('pending.revoke')}
            </MenuEntry>
            {locked && <Menu.Label className={styles.reason}>{t('ownersOnly')}</Menu.Label>}
          </Menu.Dropdown>
        </Menu>
      </td>
    </tr>
  )
}
