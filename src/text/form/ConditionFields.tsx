import { useTranslation } from 'react-i18next'
import { caps, counts } from '../../../engine/values/caps'
import { type Comparison, type Condition, needsValue, newComparison } from '../../../engine/values/comparison'
import { isBlankValue, staticValue } from '../../../engine/values/dynamicValue'
import { Select } from '../../ui/Select'
import { operatorGroups, operatorText } from '../operatorText'
import { ExpressionField } from './ExpressionField'
import styles from './form.module.css'
import { useField } from './formContext'
import { goOnToText } from './goOnToText'
import { ListField } from './ListField'
import { DynamicField } from './textFields'
import { VariableField } from './VariableField'
import { SelectField } from './valueFields'

/** Comparisons and how they are combined (engine/values/comparison.ts); `path` is the condition's place in the data. */
export function ConditionFields({ path, condition }: { path: string; condition: Condition | undefined }) {
  const comparisons = condition?.comparisons ?? []
  return (
    <>
      {comparisons.length > 1 && <SelectField name={`${path}.match`} options={['all', 'any']} hiddenLabel />}
      <ListField name={`${path}.comparisons`} max={counts.comparisons} create={newComparison} min={1} fixed hiddenLabel>
        {(place, at) => <ComparisonFields path={place} comparison={comparisons[at]} />}
      </ListField>
    </>
  )
}

function ComparisonFields({ path, comparison }: { path: string; comparison: Comparison | undefined }) {
  const { t } = useTranslation('variables')
  if (!comparison) return null
  return (
    <>
      <SubjectField path={path} comparison={comparison} />
      {comparison.subject === 'expression' && (
        <ExpressionField name={`${path}.value`} max={caps.comparison} hiddenLabel />
      )}
      {comparison.subject === 'language' && (
        <DynamicField
          name={`${path}.value`}
          max={caps.comparison}
          hiddenLabel
          label={t('comparison.language')}
          placeholder={t('comparison.languagePlaceholder')}
        />
      )}
      {!comparison.subject && (
        <>
          <VariableField name={`${path}.variableId`} pathName={`${path}.path`} needed hiddenLabel system />
          <OperatorField name={`${path}.operator`} isOpen={isBlankValue(comparison.value)} />
          {needsValue(comparison.operator) && <DynamicField name={`${path}.value`} max={caps.comparison} hiddenLabel />}
        </>
      )}
    </>
  )
}

const subjects = ['variable', 'language', 'expression'] as const

/** Another subject starts with an empty value, since the old one does not apply. */
function SubjectField({ path, comparison }: { path: string; comparison: Comparison }) {
  const { t } = useTranslation('variables')
  const field = useField<Comparison>(path)
  return (
    <Select
      id={`${field.id}-subject`}
      aria-label={t('comparison.subject')}
      data-preset
      data={subjects.map((value) => ({ value, label: t(`comparison.of.${value}`) }))}
      value={comparison.subject ?? 'variable'}
      disabled={field.readOnly}
      onChange={(value) => {
        if (value === null || value === (comparison.subject ?? 'variable')) return
        const { subject: _subject, path: _path, ...rest } = comparison
        const chosen = subjects.find((subject) => subject === value)
        field.set({
          ...rest,
          variableId: null,
          value: staticValue(''),
          ...(chosen && chosen !== 'variable' && { subject: chosen }),
        })
      }}
    />
  )
}

/** `isOpen`: the value is still empty, and is focused next. */
function OperatorField({ name, isOpen }: { name: string; isOpen: boolean }) {
  const { t } = useTranslation('text')
  const field = useField<string>(name)
  return (
    <Select
      id={field.id}
      aria-label={field.label}
      data={operatorGroups.map(({ id, operators }) => ({
        group: t(`operatorGroups.${id}`),
        items: operators.map((value) => ({ value, label: t(operatorText(value)) })),
      }))}
      classNames={{ groupLabel: styles.groupLine }}
      value={field.value}
      disabled={field.readOnly}
      onChange={(value) => {
        if (value === null) return
        field.set(value)
        const operator = operatorGroups.flatMap(({ operators }) => operators).find((one) => one === value)
        if (isOpen && operator && needsValue(operator)) goOnToText(field.id)
      }}
    />
  )
}
