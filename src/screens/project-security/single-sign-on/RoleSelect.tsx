import { useTranslation } from 'react-i18next'
import type { RoleOfGroup } from '../../../../server/contracts/signOn'
import { Select } from '../../../ui/Select'

type Role = RoleOfGroup['role']
const roles: readonly Role[] = [2, 3, 4, 5, 6]

interface RoleSelectProps {
  label: string
  /** the label is for screen readers alone */
  hideLabel?: boolean
  description?: string
  readOnly: boolean
  value: Role
  onChange: (role: Role) => void
}

/** A role that a provider may give: owners are made by owners. */
export function RoleSelect({ label, hideLabel, value, onChange, ...rest }: RoleSelectProps) {
  const { t } = useTranslation('members')
  return (
    <Select
      {...(hideLabel ? { 'aria-label': label } : { label })}
      {...rest}
      allowDeselect={false}
      data={roles.map((role) => ({ value: String(role), label: t(`role.${role}.name`) }))}
      value={String(value)}
      onChange={(chosen) => {
        const role = roles.find((each) => String(each) === chosen)
        if (role) onChange(role)
      }}
    />
  )
}
