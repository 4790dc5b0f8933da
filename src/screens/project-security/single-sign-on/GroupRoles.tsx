import { Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { MOST_GROUPS, type RoleOfGroup } from '../../../../server/contracts/signOn'
import { Button } from '../../../ui/Button'
import { IconButton } from '../../../ui/IconButton'
import { TextField } from '../../../ui/TextField'
import { RoleSelect } from './RoleSelect'
import styles from './singleSignOn.module.css'

interface GroupRolesProps {
  map: readonly RoleOfGroup[]
  /** messages by field of the form */
  wrong: Readonly<Record<string, string>>
  mayChange: boolean
  onChange: (map: RoleOfGroup[]) => void
}

/** Which role each group of the provider gives. */
export function GroupRoles({ map, wrong, mayChange, onChange }: GroupRolesProps) {
  const { t } = useTranslation('signOn')
  const replace = (index: number, part: Partial<RoleOfGroup>) =>
    onChange(map.map((each, at) => (at === index ? { ...each, ...part } : each)))
  return (
    <fieldset className={styles.groups}>
      <legend className={styles.legend}>{t('groups.title')}</legend>
      {map.map(({ value, role }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and are only added at the end
        <div key={index} className={styles.group}>
          <TextField
            aria-label={t('groups.group', { number: index + 1 })}
            placeholder={t('groups.placeholder')}
            spellCheck={false}
            readOnly={!mayChange}
            value={value}
            error={wrong[`role_map.${index}.value`]}
            onChange={(event) => replace(index, { value: event.currentTarget.value })}
          />
          <RoleSelect
            label={t('groups.role', { number: index + 1 })}
            hideLabel
            readOnly={!mayChange}
            value={role}
            onChange={(chosen) => replace(index, { role: chosen })}
          />
          {mayChange && (
            <IconButton
              label={t('groups.remove', { number: index + 1 })}
              icon={<Trash2 />}
              onClick={() => onChange(map.filter((_, at) => at !== index))}
            />
          )}
        </div>
      ))}
      {wrong.role_map && (
        <p role="alert" className={styles.problem}>
          {wrong.role_map}
        </p>
      )}
      {mayChange && map.length < MOST_GROUPS && (
        <Button icon={<Plus />} onClick={() => onChange([...map, { value: '', role: 6 }])}>
          {t('groups.add')}
        </Button>
      )}
    </fieldset>
  )
}
