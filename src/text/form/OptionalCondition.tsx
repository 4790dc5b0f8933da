import { type Condition, newComparison } from '../../../engine/values/comparison'
import { Switch } from '../../ui/Switch'
import { ConditionFields } from './ConditionFields'
import styles from './form.module.css'
import { useField } from './formContext'
import { newId } from './newId'

/** An optional condition: a switch, and the condition below it. */
export function OptionalCondition({ name }: { name: string }) {
  const field = useField<Condition | null | undefined>(name)
  const condition = field.value ?? null
  return (
    <div className={styles.itemBody}>
      <Switch
        id={field.id}
        checked={condition !== null}
        label={field.label}
        disabled={field.readOnly}
        onChange={({ currentTarget }) =>
          field.set(currentTarget.checked ? { match: 'all', comparisons: [newComparison(newId)] } : null)
        }
      />
      {condition && <ConditionFields path={name} condition={condition} />}
    </div>
  )
}
