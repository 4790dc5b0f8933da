import { KeyRound, Lock, Plus } from 'lucide-react'
import { Fragment, type KeyboardEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { checkVariableName, cleanVariableName } from '../../engine/flow/variableName'
import { SECRET_NAME, secretIdOf } from '../../engine/values/secrets'
import { useFlowScope } from './flowScope'
import { type PickerOption, pickerOptions } from './pickerOptions'
import { Chip } from './RichTextView'
import { SecretForm } from './SecretForm'
import styles from './text.module.css'

export interface VariablePickerProps {
  /** `path`: a part of its value, if `parts` are offered */
  onPick: (variableId: string, path?: string) => void
  /** `typed`: the filter's text, so that nothing typed is lost */
  onCancel: (typed: string) => void
  /** marked as the present choice */
  selected?: string | null
  /** `}` ends the name, as in `{Name}`; if that is not a variable's name, `onCancel` also gets the brace */
  closingBrace?: boolean
  /** also offers system variables, for reading */
  system?: boolean
  /** also offers the project's secrets */
  secrets?: boolean | undefined
  /** accepts `Name.part` and `Name[0]` */
  parts?: boolean
  /** a suggested name for a new variable: prefilled, replaced by the next key */
  wish?: string
  /** text typed before the filter was ready: the next key is appended */
  typed?: string
}

/** The most matches shown; the filter narrows them. */
const SHOWN = 100

/** A filter over the flow's variables, with a way to create a missing one. */
export function VariablePicker({
  onPick,
  onCancel,
  selected,
  closingBrace = false,
  system = false,
  parts = false,
  secrets = false,
  wish = '',
  typed = '',
}: VariablePickerProps) {
  const { t } = useTranslation(['text', 'variables'])
  const { variables, createVariable, secrets: kept } = useFlowScope()
  const [making, setMaking] = useState(false)
  const [filter, setFilter] = useState(() => typed || cleanVariableName(wish))
  const [index, setIndex] = useState(0)
  const [tried, setTried] = useState(false)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)

  const wanted = filter.trim().toLowerCase()
  const matches = pickerOptions(variables, filter, {
    system,
    parts,
    secrets: secrets ? (kept?.names ?? []) : [],
  })
  const shown = matches.slice(0, SHOWN)
  const problem = checkVariableName(
    filter,
    variables.map(({ name }) => name),
  )
  const isPart = matches[0]?.path !== undefined
  const canCreate = createVariable !== null && problem?.key !== 'nameTaken' && !isPart
  // a new variable comes before system variables: a similar name usually means a variable of the flow
  const own = shown.filter((variable) => !variable.system && !variable.secret)
  const canMake = secrets && kept?.create != null && !isPart
  const rows: (PickerOption | 'variable' | 'secret')[] = [
    ...own,
    ...(canCreate ? (['variable'] as const) : []),
    ...shown.filter((variable) => variable.secret),
    ...(canMake ? (['secret'] as const) : []),
    ...shown.filter((variable) => variable.system),
  ]
  const count = rows.length
  const current = Math.min(index, count - 1)

  const create = () => {
    if (problem || !createVariable) return setTried(true)
    onPick(createVariable(cleanVariableName(filter)))
  }
  const choose = (at: number) => {
    const variable = rows[at]
    if (variable === 'variable') create()
    else if (variable === 'secret') setMaking(true)
    else if (variable) onPick(variable.variableId, variable.path)
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
      const exact = matches.find(({ name, path }) => path !== undefined || name.toLowerCase() === wanted)
      if (exact) onPick(exact.variableId, exact.path)
      else onCancel(`${filter}}`)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  if (making && kept?.create)
    return (
      <div className={styles.picker}>
        <SecretForm
          name={SECRET_NAME.test(filter.trim()) ? filter.trim().toUpperCase() : undefined}
          create={kept.create}
          onMade={(name) => onPick(secretIdOf(name))}
          onCancel={() => setMaking(false)}
        />
      </div>
    )
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
        onFocus={({ currentTarget }) =>
          typed ? currentTarget.setSelectionRange(typed.length, typed.length) : currentTarget.select()
        }
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
        {rows.map((variable, at) =>
          typeof variable === 'string' ? (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the filter has the focus and the keys
            <div
              key={variable}
              id={`${id}-${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={at === current}
              className={styles.pickerCreate}
              onPointerMove={() => setIndex(at)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(at)}
            >
              {variable === 'secret' ? <KeyRound size={14} aria-hidden /> : <Plus size={14} aria-hidden />}
              {variable === 'secret'
                ? t('secrets.create')
                : cleanVariableName(filter) === ''
                  ? t('variables.create')
                  : t('variables.createNamed', { name: cleanVariableName(filter) })}
            </div>
          ) : (
            <Fragment key={`${variable.variableId}${variable.path ?? ''}`}>
              {sectionOf(variable) !== null && sectionOf(variable) !== sectionOf(rows[at - 1]) && (
                <div className={styles.pickerSection} role="presentation">
                  {variable.secret ? t('secrets.title') : t('variables:picker.system')}
                </div>
              )}
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: the filter has the focus and the keys */}
              <div
                id={`${id}-${at}`}
                role="option"
                tabIndex={-1}
                aria-selected={at === current}
                aria-description={variable.system ? t('variables:picker.systemHint') : undefined}
                title={variable.system ? t(`variables:system.${variable.name}`) : undefined}
                data-chosen={variable.variableId === selected || undefined}
                className={styles.pickerOption}
                onPointerMove={() => setIndex(at)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onPick(variable.variableId, variable.path)}
              >
                <Chip name={variable.name} path={variable.path} />
                {variable.system && <Lock size={11} className={styles.pickerLock} aria-hidden />}
              </div>
            </Fragment>
          ),
        )}
        {matches.length > SHOWN && (
          <div className={styles.pickerNote}>{t('variables.more', { count: matches.length - SHOWN })}</div>
        )}
        {matches.length === 0 && wanted === '' && <div className={styles.pickerNote}>{t('variables.none')}</div>}
        {matches.length === 0 && wanted !== '' && !canCreate && (
          <div className={styles.pickerNote}>{t('variables.noMatch')}</div>
        )}
      </div>
      {parts && (
        <div className={styles.pickerFoot}>{isPart ? t('variables:picker.partOf') : t('variables:picker.part')}</div>
      )}
      {problem && !isPart && problem.key !== 'nameTaken' && (tried || problem.key === 'nameTooLong') && (
        <div className={styles.pickerError} role="alert">
          {t(`variables.${problem.key}`, { n: problem.n })}
        </div>
      )}
    </div>
  )
}

/** The section of an option. */
const sectionOf = (row: PickerOption | 'variable' | 'secret' | undefined): 'system' | 'secret' | null =>
  typeof row !== 'object' ? null : row.system ? 'system' : row.secret ? 'secret' : null
