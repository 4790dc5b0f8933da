import { Plus } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFlowScope } from './flowScope'
import styles from './text.module.css'
import { checkVariableName, cleanVariableName } from './variableName'

export interface VariablePickerProps {
  onPick: (variableId: string) => void
  /** `typed` is what stands in the filter: nothing that was typed gets lost */
  onCancel: (typed: string) => void
  /** marked as the present choice */
  selected?: string | null
  /** `}` ends the name, as in `{Name}` typed in one go; for what is no variable's name, `onCancel` gets the brace too */
  closingBrace?: boolean
}

/** More matches than a person scans; the filter narrows them. */
const SHOWN = 100

/** A filter over the flow's variables, and a way to create the one that is missing. */
export function VariablePicker({ onPick, onCancel, selected, closingBrace = false }: VariablePickerProps) {
  const { t } = useTranslation('text')
  const { variables, createVariable } = useFlowScope()
  const [filter, setFilter] = useState('')
  const [index, setIndex] = useState(0)
  const [tried, setTried] = useState(false)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)

  const wanted = filter.trim().toLowerCase()
  const matches = variables.filter(({ name }) => name.toLowerCase().includes(wanted))
  const shown = matches.slice(0, SHOWN)
  const problem = checkVariableName(
    filter,
    variables.map(({ name }) => name),
  )
  const canCreate = createVariable !== null && problem?.key !== 'nameTaken'
  const count = shown.length + (canCreate ? 1 : 0)
  const current = Math.min(index, count - 1)

  const create = () => {
    if (problem || !createVariable) return setTried(true)
    onPick(createVariable(cleanVariableName(filter)))
  }
  const choose = (at: number) => {
    const variable = shown[at]
    if (variable) onPick(variable.id)
    else if (canCreate) create()
  }
  const move = (step: number) => {
    const next = count === 0 ? 0 : (current + step + count) % count
    setIndex(next)
    list.current?.querySelectorAll('[role="option"]')[next]?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(current)
    else if (event.key === 'Escape') onCancel(filter)
    else if (event.key === '}' && closingBrace) {
      const exact = variables.find(({ name }) => name.toLowerCase() === wanted)
      if (exact) onPick(exact.id)
      else onCancel(`${filter}}`)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className={styles.picker}>
      <input
        className={styles.pickerFilter}
        // biome-ignore lint/a11y/noAutofocus: the picker opens at a key press in a text and takes over the typing
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={count > 0 ? `${id}-${current}` : undefined}
        aria-label={t('variables.filter')}
        placeholder={createVariable ? t('variables.filterOrCreate') : t('variables.filter')}
        value={filter}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setFilter(event.target.value)
          setIndex(0)
          setTried(false)
        }}
        onKeyDown={onKeyDown}
      />
      <div className={styles.pickerList} id={`${id}-list`} role="listbox" aria-label={t('variables.title')} ref={list}>
        {shown.map((variable, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the filter has the focus and the keys
          <div
            key={variable.id}
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === current}
            data-chosen={variable.id === selected || undefined}
            className={styles.pickerOption}
            onPointerMove={() => setIndex(at)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onPick(variable.id)}
          >
            <span className={styles.chip}>{variable.name}</span>
          </div>
        ))}
        {matches.length > SHOWN && (
          <div className={styles.pickerNote}>{t('variables.more', { count: matches.length - SHOWN })}</div>
        )}
        {matches.length === 0 && wanted === '' && <div className={styles.pickerNote}>{t('variables.none')}</div>}
        {matches.length === 0 && wanted !== '' && !canCreate && (
          <div className={styles.pickerNote}>{t('variables.noMatch')}</div>
        )}
        {canCreate && (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the filter has the focus and the keys
          <div
            id={`${id}-${shown.length}`}
            role="option"
            tabIndex={-1}
            aria-selected={current === shown.length}
            className={styles.pickerCreate}
            onPointerMove={() => setIndex(shown.length)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={create}
          >
            <Plus size={14} aria-hidden />
            {cleanVariableName(filter) === ''
              ? t('variables.create')
              : t('variables.createNamed', { name: cleanVariableName(filter) })}
          </div>
        )}
      </div>
      {problem && problem.key !== 'nameTaken' && (tried || problem.key === 'nameTooLong') && (
        <div className={styles.pickerError} role="alert">
          {t(`variables.${problem.key}`, { n: problem.n })}
        </div>
      )}
    </div>
  )
}
