import { useTranslation } from 'react-i18next'
import type { DynamicValue } from '../../../engine/values/dynamicValue'
import { DynamicControl } from './DynamicControl'
import { FieldFrame } from './FieldFrame'
import styles from './form.module.css'
import { useField } from './formContext'
import { functionReference } from './functionReference'

const groups = Object.keys(functionReference) as (keyof typeof functionReference)[]

/** An expression (engine/expression): a dynamic value whose text is the source. Problems are shown while typing. */
export function ExpressionField({ name, max, hiddenLabel }: { name: string; max: number; hiddenLabel?: boolean }) {
  const { t } = useTranslation('variables')
  const field = useField<DynamicValue | undefined>(name)
  const named = { ...field, label: t('expression.label'), placeholder: t('expression.placeholder') }
  return (
    <>
      <FieldFrame field={{ ...named, help: t('expression.help') }} hidden={hiddenLabel}>
        <DynamicControl field={named} max={max} multiline />
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
