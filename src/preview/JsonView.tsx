import { useState } from 'react'
import type { Json } from '../../engine/values/json'
import css from './inspector.module.css'

/** Entries of one level that are rendered at first. */
const SHOWN = 100

/** A collapsible JSON value: closed levels are not rendered. */
export function JsonView({ label, value, open = false }: { label: string; value: Json; open?: boolean }) {
  return (
    <div className={css.json}>
      <Node name={label} value={value} open={open} />
    </div>
  )
}

function Node({ name, value, open }: { name: string; value: Json; open: boolean }) {
  const [isOpen, setOpen] = useState(open)
  const [shown, setShown] = useState(SHOWN)
  if (typeof value !== 'object' || value === null) {
    return (
      <p>
        <span className={css.key}>{name}</span> <span data-type={typeof value}>{JSON.stringify(value)}</span>
      </p>
    )
  }
  const entries = Object.entries(value)
  if (entries.length === 0) {
    return (
      <p>
        <span className={css.key}>{name}</span> <span>{Array.isArray(value) ? '[]' : '{}'}</span>
      </p>
    )
  }
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className={css.key}>{name}</span> {size}
      </summary>
      {isOpen && (
        <div className={css.level}>
          {entries.slice(0, shown).map(([key, item]) => (
            <Node key={key} name={key} value={item ?? null} open={false} />
          ))}
          {entries.length > shown && (
            <button type="button" onClick={() => setShown(shown + SHOWN)}>
              … {entries.length - shown}
            </button>
          )}
        </div>
      )}
    </details>
  )
}
