import { RefreshCw } from 'lucide-react'
import { useEffect, useInsertionEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Choice } from '../../../server/contracts/integrations'
import { formatMoment } from '../../i18n/format'
import { IconButton } from '../../ui/IconButton'
import { Select } from '../../ui/Select'
import { errorId, FieldFrame } from './FieldFrame'
import styles from './form.module.css'
import { useField } from './formContext'
import { type ChoiceSource, useChoices } from './useChoices'

interface ChoiceFieldProps<Value> {
  name: string
  source: ChoiceSource
  /** the choice that a value is; null: none is chosen */
  choiceOf: (value: Value) => Choice | null
  toValue: (choice: Choice) => Value
  /** what it is without a choice, where one can be taken back */
  empty?: Value
  /** called with the new value, in place of writing it alone */
  onPick?: (value: Value) => void
  hiddenLabel?: boolean
  /** the vendor searches; otherwise the list holds all */
  searches?: boolean
  /** shows below what the vendor says about the choice */
  details?: boolean
}

/** How long typing may pause before the vendor is asked, in ms. */
const PAUSE = 300

/**
 * One of what a vendor offers at the moment: searchable, reloadable, and as it was last seen if the vendor can't be
 * asked. What was chosen stays, even if it is no longer offered.
 */
export function ChoiceField<Value>({
  name,
  source,
  choiceOf,
  toValue,
  empty,
  onPick,
  hiddenLabel,
  searches = false,
  details = false,
}: ChoiceFieldProps<Value>) {
  const { t } = useTranslation('text')
  const field = useField<Value>(name)
  const chosen = choiceOf(field.value)
  const [search, setSearch] = useState('')
  const asked = usePaused(searches && search !== chosen?.label ? search.trim() : '')
  const { choices, problem, fetchedAt, isLoading, reload } = useChoices(source, asked, !field.readOnly)
  const chosenId = chosen?.id ?? null
  const chosenLabel = chosen?.label ?? ''
  const options = useMemo(() => {
    const listed = choices.map(({ id, label }) => ({ value: id, label }))
    const isKnown = chosenId === null || choices.some(({ id }) => id === chosenId)
    return isKnown ? listed : [{ value: chosenId, label: chosenLabel }, ...listed]
  }, [choices, chosenId, chosenLabel])
  const pick = (id: string | null) => {
    const choice = choices.find((each) => each.id === id) ?? (id !== null && id === chosenId ? chosen : null)
    const value = choice ? toValue(choice) : empty
    if (value === undefined) return
    if (onPick) onPick(value)
    else field.set(value)
  }
  const latest = useRef(pick)
  useInsertionEffect(() => {
    latest.current = pick
  })
  const detail = choices.find(({ id }) => id === chosen?.id)?.detail
  const isAsking = isLoading || asked !== search.trim()
  const hasProblem = problem !== null
  const clears = empty !== undefined
  // drawn anew only when it changes: a form has fifty of them, and each letter typed in one is a change of the form
  const select = useMemo(
    () => (
      <Select
        id={field.id}
        aria-label={hiddenLabel ? field.label : undefined}
        data={options}
        value={chosenId}
        placeholder={isLoading ? t('choices.loading') : field.placeholder}
        nothingFoundMessage={isAsking ? t('choices.loading') : t('choices.nothing')}
        searchable
        clearable={clears && !field.readOnly}
        searchValue={search}
        onSearchChange={setSearch}
        filter={searches ? ({ options }) => options : undefined}
        limit={100}
        disabled={field.readOnly}
        error={field.error !== undefined || (hasProblem && chosenId === null)}
        aria-describedby={errorId(field.id)}
        onChange={(id) => latest.current(id)}
      />
    ),
    [field, hiddenLabel, options, chosenId, isLoading, isAsking, search, searches, clears, hasProblem, t],
  )
  const isStale = problem !== null && fetchedAt !== null
  return (
    <FieldFrame field={{ ...field, error: field.error ?? problem ?? undefined }} hidden={hiddenLabel}>
      <div className={styles.choice}>
        {select}
        {!field.readOnly && source.connection !== null && (
          <IconButton
            size="s"
            label={t('choices.reload', { name: field.label })}
            icon={<RefreshCw size={14} />}
            disabled={isLoading}
            onClick={reload}
          />
        )}
      </div>
      {details && detail && <div className={styles.below}>{t('choices.values', { values: detail })}</div>}
      {isStale && <div className={styles.below}>{t('choices.lastSeen', { when: formatMoment(fetchedAt) })}</div>}
    </FieldFrame>
  )
}

/** The value once it has stayed the same for a moment. */
function usePaused(value: string): string {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE)
    return () => clearTimeout(timer)
  }, [value])
  return paused
}
