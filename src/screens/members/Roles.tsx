import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account'
import type { RoleNumber } from '../../api/members'
import { ROLE } from '../../api/roles'
import { Badge } from '../../ui/Badge'
import styles from './members.module.css'

const all: RoleNumber[] = [1, 2, 3, 4, 5, 6]

export function RoleChips({ roles }: { roles: number[] }) {
  const { t } = useTranslation('members')
  return (
    <span className={styles.chips}>
      {roles.map((role) => (
        <Badge key={role} tone={role === ROLE.OWNER ? 'accent' : 'neutral'}>
          {t(`role.${role}.name`)}
        </Badge>
      ))}
    </span>
  )
}

interface RoleChoicesProps {
  roles: RoleNumber[]
  onChange: (roles: RoleNumber[]) => void
  error?: string | undefined
}

/** One role or several, each with its rights. Only owners can grant the owner's role. */
export function RoleChoices({ roles, onChange, error }: RoleChoicesProps) {
  const { t } = useTranslation('members')
  const isOwner = useAccount().user.project_roles.includes(ROLE.OWNER)
  const toggle = (role: RoleNumber) =>
    onChange(roles.includes(role) ? roles.filter((each) => each !== role) : [...roles, role].toSorted())
  return (
    <fieldset className={styles.roles}>
      <legend>{t('roles.legend')}</legend>
      {all.map((role) => {
        const locked = role === ROLE.OWNER && !isOwner
        return (
          <label key={role} className={styles.role} data-locked={locked || undefined}>
            <input type="checkbox" checked={roles.includes(role)} disabled={locked} onChange={() => toggle(role)} />
            <span>
              <span className={styles.roleName}>{t(`role.${role}.name`)}</span>
              <span className={styles.does}>{locked ? t('ownersOnly') : t(`role.${role}.does`)}</span>
            </span>
          </label>
        )
      })}
      {error && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
