import { useVirtualizer } from '@tanstack/react-virtual'
import { Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react'
import { KeyHint } from '../KeyHint'
import styles from './Finder.module.css'
import type { Range } from './match'

export interface FinderSection {
  id: string
  title: string
  rows: readonly FinderRow[]
}

export interface FinderRow {
  /** unique among all rows */
  key: string
  icon: ReactNode
  /** tints the icon in a block category's colour */
  tint?: string
  title: string
  /** parts of the title that match the search */
  ranges?: readonly Range[]
  /** additional text, less prominent */
  detail?: string | undefined
  /** the keys that do the same */
  keys?: readonly string[]
  /** can't be chosen; `detail` says why */
  disabled?: boolean
  /** leads to a further choice: the list stays open */
  keepsOpen?: boolean
  onChoose: () => void
}

export interface FinderProps {
  /** the accessible name of field and list */
  label: string
  placeholder: string
  search: string
  onSearch: (search: string) => void
  sections: readonly FinderSection[]
  /** shown without results */
  empty: ReactNode
  /** a line below the list */
  foot?: ReactNode
}

const ROW = 38
const HEADER = 30

/** A search field over a list of any length: arrow keys move while typing, Enter chooses the marked row. */
export function Finder({ label, placeholder, search, onSearch, sections, empty, foot }: FinderProps) {
  const id = useId()
  const scroll = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(0)
  const lines = useMemo(() => linesOf(sections), [sections])
  const rows = useMemo(() => lines.filter((line) => line.row), [lines])
  const current = Math.min(at, rows.length - 1)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => (lines[index]?.row ? ROW : HEADER),
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: 6,
    paddingEnd: 8,
  })
  const mark = (next: number) => {
    setAt(next)
    const line = rows[next]
    // the section title above the first row scrolls into view with it
    if (line) virtual.scrollToIndex(next === 0 ? 0 : lines.indexOf(line))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || rows.length === 0) return
    const page = Math.max(1, Math.floor((scroll.current?.clientHeight ?? 0) / ROW) - 1)
    if (event.key === 'ArrowDown') mark((current + 1) % rows.length)
    else if (event.key === 'ArrowUp') mark((current - 1 + rows.length) % rows.length)
    else if (event.key === 'PageDown') mark(Math.min(current + page, rows.length - 1))
    else if (event.key === 'PageUp') mark(Math.max(current - page, 0))
    else if (event.key === 'Enter') rows[current]?.row?.onChoose()
    else return
    event.preventDefault()
  }
  return (
    <div className={styles.finder}>
      <label className={styles.search}>
        <Search size={16} aria-hidden />
        <input
          // biome-ignore lint/a11y/noAutofocus: it was opened to search
          autoFocus
          data-autofocus
          role="combobox"
          aria-expanded={rows.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={rows[current] && `${id}-${current}`}
          aria-label={label}
          placeholder={placeholder}
          value={search}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            onSearch(event.target.value)
            setAt(0)
            virtual.scrollToOffset(0)
          }}
          onKeyDown={onKeyDown}
        />
      </label>
      {rows.length === 0 && <div className={styles.empty}>{empty}</div>}
      <div ref={scroll} id={`${id}-list`} role="listbox" aria-label={label} className={styles.scroll}>
        <div role="presentation" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, size }) => {
            const line = lines[index]
            if (!line) return null
            const style = { transform: `translateY(${start}px)`, height: size }
            if (!line.row)
              return (
                <div key={line.key} role="presentation" className={styles.header} style={style}>
                  {line.header}
                </div>
              )
            return (
              <Option
                key={line.key}
                id={`${id}-${line.place}`}
                row={line.row}
                place={line.place}
                of={rows.length}
                marked={line.place === current}
                style={style}
                onPoint={() => setAt(line.place)}
              />
            )
          })}
        </div>
      </div>
      {foot && <div className={styles.foot}>{foot}</div>}
    </div>
  )
}

interface OptionProps {
  id: string
  row: FinderRow
  place: number
  of: number
  marked: boolean
  style: React.CSSProperties
  onPoint: () => void
}

function Option({ id, row, place, of, marked, style, onPoint }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={marked}
      aria-disabled={row.disabled}
      aria-posinset={place + 1}
      aria-setsize={of}
      className={styles.row}
      style={style}
      onMouseMove={marked ? undefined : onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={row.onChoose}
    >
      <span className={styles.icon} data-category={row.tint} aria-hidden>
        {row.icon}
      </span>
      <span className={styles.title}>
        <Marked text={row.title} ranges={row.ranges ?? []} />
      </span>
      {row.detail && <span className={styles.detail}>{row.detail}</span>}
      {row.keys && (
        <span className={styles.keys}>
          <KeyHint keys={row.keys} />
        </span>
      )}
    </div>
  )
}

function Marked({ text, ranges }: { text: string; ranges: readonly Range[] }) {
  if (ranges.length === 0) return text
  const parts: ReactNode[] = []
  let end = 0
  for (const [from, to] of ranges) {
    parts.push(text.slice(end, from), <mark key={from}>{text.slice(from, to)}</mark>)
    end = to
  }
  return [...parts, text.slice(end)]
}

interface Line {
  key: string
  header?: string
  row?: FinderRow
  /** index among the rows only */
  place: number
}

function linesOf(sections: readonly FinderSection[]): Line[] {
  let place = 0
  return sections
    .filter(({ rows }) => rows.length > 0)
    .flatMap(({ id, title, rows }) => [
      { key: `header ${id}`, header: title, place: -1 },
      ...rows.map((row) => ({ key: row.key, row, place: place++ })),
    ])
}
