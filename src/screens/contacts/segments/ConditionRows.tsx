import { Plus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { contactFields } from '../../../../engine/values/contactFields'
import {
  type ContactCondition,
  type ContactConditions,
  CUSTOM,
  conditionProblem,
  contactFacts,
  type FilterOperator,
  filterCaps,
  filterNeedsValue,
  filterOperators,
  filterTypeOf,
} from '../../../../server/contracts/contactFilter'
import type { CustomField } from '../../../../server/contracts/customFields'
import { Button } from '../../../ui/Button'
import { IconButton } from '../../../ui/IconButton'
import { Segmented } from '../../../ui/Segmented'
import { Select } from '../../../ui/Select'
import { TextField } from '../../../ui/TextField'
import styles from './segments.module.css'

interface ConditionRowsProps {
  filter: ContactConditions
  own: readonly CustomField[]
  /** own fields that nobody described */
  others: readonly string[]
  /** says what is wrong with incomplete conditions */
  strict: boolean
  onChange: (filter: ContactConditions) => void
}

/** Conditions on contacts, joined by all or any. */
export function ConditionRows({ filter, own, others, strict, onChange }: ConditionRowsProps) {
  const { t } = useTranslation('contacts')
  const { conditions } = filter
  const set = (at: number, condition: ContactCondition) =>
    onChange({ ...filter, conditions: conditions.with(at, condition) })
  return (
    <div className={styles.conditions}>
      {conditions.length > 1 && (
        <Segmented
          label={t('filters.match')}
          value={filter.match}
          options={(['all', 'any'] as const).map((value) => ({ value, label: t(`filters.${value}`) }))}
          onChange={(match) => onChange({ ...filter, match })}
        />
      )}
      {conditions.map((condition, at) => (
        <ConditionRow
          // biome-ignore lint/suspicious/noArrayIndexKey: two conditions may be the same
          key={at}
          number={at + 1}
          condition={condition}
          own={own}
          others={others}
          problem={strict ? conditionProblem(condition, own) : null}
          onChange={(changed) => set(at, changed)}
          onRemove={() => onChange({ ...filter, conditions: conditions.toSpliced(at, 1) })}
        />
      ))}
      {conditions.length < filterCaps.conditions && (
        <Button
          size="s"
          icon={<Plus />}
          onClick={() =>
            onChange({ ...filter, conditions: [...conditions, { field: 'name', operator: 'contains', value: '' }] })
          }
        >
          {t('filters.add')}
        </Button>
      )}
    </div>
  )
}

interface ConditionRowProps {
  number: number
  condition: ContactCondition
  own: readonly CustomField[]
  others: readonly string[]
  problem: string | null
  onChange: (condition: ContactCondition) => void
  onRemove: () => void
}

function ConditionRow({ number, condition, own, others, problem, onChange, onRemove }: ConditionRowProps) {
  const { t } = useTranslation('contacts')
  const { field, operator } = condition
  const type = filterTypeOf(field, own) ?? 'text'
  const named = [...own.map(({ name }) => name), ...others]
  const ownItems = named.map((name) => ({ value: CUSTOM + name, label: name }))
  const choose = (chosen: string) => {
    const next = filterOperators[filterTypeOf(chosen, own) ?? 'text'] as readonly FilterOperator[]
    onChange({ field: chosen, operator: next.includes(operator) ? operator : (next[0] ?? 'is-set'), value: '' })
  }
  return (
    <fieldset className={styles.condition} aria-label={t('filters.condition', { number })}>
      <Select
        aria-label={t('filters.field')}
        allowDeselect={false}
        data={[
          { group: t('filters.fields'), items: contactFields.map((value) => ({ value, label: t(`fields.${value}`) })) },
          ...(ownItems.length > 0 ? [{ group: t('filters.own'), items: ownItems }] : []),
          {
            group: t('filters.known'),
            items: Object.keys(contactFacts).map((value) => ({
              value,
              label: t(`facts.${value as keyof typeof contactFacts}`),
            })),
          },
        ]}
        value={field}
        onChange={(value) => value !== null && choose(value)}
      />
      <Select
        aria-label={t('filters.operator')}
        allowDeselect={false}
        data={filterOperators[type].map((value) => ({ value, label: t(`operators.${value}`) }))}
        value={operator}
        onChange={(value) => value !== null && onChange({ ...condition, operator: value as FilterOperator })}
      />
      {filterNeedsValue(operator) && (
        <ConditionValue condition={condition} own={own} problem={problem} onChange={onChange} />
      )}
      <IconButton label={t('filters.remove', { number })} icon={<X size={16} />} onClick={onRemove} />
    </fieldset>
  )
}

type ConditionValueProps = Pick<ConditionRowProps, 'condition' | 'own' | 'problem' | 'onChange'>

function ConditionValue({ condition, own, problem, onChange }: ConditionValueProps) {
  const { t } = useTranslation('contacts')
  const { field, operator, value } = condition
  const type = filterTypeOf(field, own)
  const set = (text: string) => onChange({ ...condition, value: text })
  const choices =
    type === 'boolean'
      ? (['true', 'false'] as const).map((each) => ({ value: each, label: t(`yesNo.${each}`) }))
      : type === 'choice'
        ? (own.find(({ name }) => CUSTOM + name === field)?.choices ?? []).map((each) => ({ value: each, label: each }))
        : null
  if (choices)
    return (
      <Select
        aria-label={t('filters.value')}
        data={choices}
        allowDeselect={false}
        error={problem}
        value={value || null}
        onChange={(chosen) => set(chosen ?? '')}
      />
    )
  const isDays = operator === 'within-days' || operator === 'before-days'
  const isDay = !isDays && (type === 'date' || type === 'moment')
  return (
    <TextField
      aria-label={t(isDays ? 'filters.days' : 'filters.value')}
      type={isDay ? 'date' : 'text'}
      inputMode={isDays || type === 'number' ? 'numeric' : undefined}
      placeholder={isDays ? t('filters.days') : type === 'code' ? t('filters.code') : undefined}
      value={value}
      error={problem}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    />
  )
}
