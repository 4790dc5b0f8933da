import { useTranslation } from 'react-i18next'
import { type DynamicValue, staticValue } from '../../../engine/values/dynamicValue'
import { DynamicInput } from '../DynamicInput'
import { errorId, FieldFrame } from './FieldFrame'
import styles from './form.module.css'
import { useField, useForm } from './formContext'
import { functionReference } from './functionReference'

const groups = Object.keys(functionReference) as (keyof typeof functionReference)[]

/** An expression (engine/expression): a dynamic value whose text is source. What is wrong with it is said as one types. */
export function ExpressionField({ name, max, hiddenLabel }: { name: string; max: number; hiddenLabel?: boolean }) {
  const { t } = useTranslation('variables')
  const field = useField<DynamicValue | undefined>(name)
  const { document } = useForm()
  const label = t('expression.label')
  return (
    <>
      <FieldFrame field={{ ...field, label, help: t('expression.help') }} hidden={hiddenLabel}>
        <DynamicInput
          value={field.value ?? staticValue('')}
          onChange={(value) => document.commands.typing(() => field.set(value))}
          undo={document.undo}
          label={label}
          max={max}
          multiline
          placeholder={t('expression.placeholder')}
          readOnly={field.readOnly}
          error={field.error}
          describedBy={errorId(field.id)}
        />
      </FieldFrame>
      <details className={styles.reference}>
        <summary>{t('expression.functions')}</summary>
        {groups.map((group) => (
          <section key={group}>
            <h4>{t(`expression.group.${group}`)}</h4>
            <ul>
              {functionReference[group].map((written) => (
                <li key={written}>
                  <code>{written}</code>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </details>
    </>
  )
}
