import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Json } from '../../../engine/values/json'
import { jsonPathOf } from '../../../engine/values/jsonPath'
import styles from './json.module.css'

export type Place = readonly (string | number)[]

interface TreeProps {
  value: Json
  /** called with the clicked place; null: read-only */
  onPick: ((place: Place, button: HTMLElement) => void) | null
}

/** Members of a list or object that are rendered at first; a button renders as many more. */
const PAGE = 50
/** Levels that are open at first. */
const OPEN = 2
const LONGEST = 200

/** A JSON tree for viewing and picking: every value is a button, every list and object can be opened. */
export function JsonTree({ label, ...props }: TreeProps & { label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={styles.tree} aria-label={label} tabIndex={0}>
      <Node {...props} place={[]} />
    </section>
  )
}

function Node({ value, place, onPick }: TreeProps & { place: Place }) {
  const { t } = useTranslation('text')
  const [open, setOpen] = useState(place.length < OPEN)
  const [shown, setShown] = useState(PAGE)
  const name = place.at(-1)
  const members = membersOf(value)
  return (
    <div className={styles.node}>
      <div className={styles.row}>
        {members ? (
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={open}
            aria-label={t('json.open', { path: jsonPathOf(place) })}
            onClick={() => setOpen(!open)}
          >
            <ChevronRight size={12} aria-hidden />
          </button>
        ) : (
          <span className={styles.toggle} />
        )}
        <Value
          value={value}
          name={name}
          path={jsonPathOf(place)}
          onPick={onPick && ((button) => onPick(place, button))}
        />
      </div>
      {members && open && (
        <div className={styles.members}>
          {members.slice(0, shown).map(([key, member]) => (
            <Node key={key} value={member} place={[...place, key]} onPick={onPick} />
          ))}
          {members.length > shown && (
            <button type="button" className={styles.more} onClick={() => setShown(shown + PAGE)}>
              {t('json.more', { count: members.length - shown })}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

interface ValueProps {
  value: Json
  name: string | number | undefined
  /** what a click saves */
  path: string
  onPick: ((button: HTMLElement) => void) | null
}

/** A name and a value on one line: a button if it can be picked. */
export function Value({ value, name, path, onPick }: ValueProps) {
  const { t } = useTranslation('text')
  const content = (
    <>
      {name !== undefined && <span className={styles.name}>{name}: </span>}
      <span className={styles.value} data-type={value === null ? 'null' : typeof value}>
        {printed(value)}
      </span>
    </>
  )
  if (!onPick) return <span className={styles.text}>{content}</span>
  return (
    <button
      type="button"
      className={styles.pick}
      title={path}
      aria-label={t('json.save', { path, value: printed(value) })}
      onClick={(event) => onPick(event.currentTarget)}
    >
      {content}
    </button>
  )
}

function membersOf(value: Json): [string | number, Json][] | null {
  if (typeof value !== 'object' || value === null) return null
  return Array.isArray(value) ? value.map((item, at) => [at, item]) : Object.entries(value)
}

function printed(value: Json): string {
  if (Array.isArray(value)) return `[${value.length}]`
  if (typeof value === 'object' && value !== null) return `{${Object.keys(value).length}}`
  const text = JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
