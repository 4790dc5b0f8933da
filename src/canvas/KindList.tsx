import { VisuallyHidden } from '@mantine/core'
import { CornerDownLeft, Search } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnyBlock, BlockCategory } from '../../engine/flow/defineBlock'
import { useEditor, useKindTexts } from './context'
import styles from './KindList.module.css'
import { iconOf } from './kindFaces'
import { rankKinds } from './rankKinds'

/** What most flows are made of comes first, in sight without scrolling; the first trigger, the start, is there. */
const categories: readonly BlockCategory[] = ['bubble', 'input', 'ai', 'trigger', 'logic', 'other']

interface KindListProps {
  onChoose: (kind: string) => void
  /** a press that may become a drag */
  onGrab?: (event: PointerEvent, kind: string) => void
  autoFocus?: boolean
  disabled?: boolean
  /** omits kinds that no edge can lead to */
  noTriggers?: boolean
  /** further choices below the kinds, by search text */
  more?: (search: string) => React.ReactNode
}

/**
 * The kinds by category with a search field; results are sorted by relevance. Arrow keys move through the list, Enter
 * in the field chooses the first one, which is marked.
 */
export function KindList({ onChoose, onGrab, autoFocus, disabled, noTriggers, more }: KindListProps) {
  const { registry } = useEditor()
  const kinds = useKindTexts()
  const { t } = useTranslation('builder')
  const [search, setSearch] = useState('')
  const hint = useId()
  const offered = useMemo(
    () => registry.kinds.filter(({ inPalette, category }) => inPalette && !(noTriggers && category === 'trigger')),
    [registry, noTriggers],
  )
  const found = useMemo(() => rankKinds(offered, search, kinds), [offered, search, kinds])
  const searching = search.trim() !== ''
  // the kind that Enter in the field chooses; none while just browsing
  const first = searching || autoFocus ? (searching ? found[0] : firstListed(found)) : undefined
  const below = more?.(search)
  const rows = { onChoose, onGrab, disabled, next: first?.kind }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys only move the focus among the buttons inside
    <div className={styles.list} onKeyDown={walk}>
      <label className={styles.search}>
        <Search size={14} aria-hidden />
        <input
          type="search"
          value={search}
          placeholder={t('palette.search')}
          aria-label={t('palette.search')}
          aria-describedby={first && hint}
          // biome-ignore lint/a11y/noAutofocus: the list was opened to choose from it
          autoFocus={autoFocus}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing || !first || disabled) return
            // otherwise the same key would insert a line in what is opened
            event.preventDefault()
            onChoose(first.kind)
          }}
        />
      </label>
      {first && (
        <VisuallyHidden id={hint} aria-live="polite">
          {t('palette.enter', { kind: kinds.title(first.kind) })}
        </VisuallyHidden>
      )}
      <div className={styles.scroll}>
        {searching ? (
          <div className={styles.found}>
            {found.map(({ kind, category }) => (
              <Kind key={kind} kind={kind} category={category} named {...rows} />
            ))}
          </div>
        ) : (
          categories.map((category) => <Category key={category} name={category} kinds={found} {...rows} />)
        )}
        {below}
        {found.length === 0 && !below && <p className={styles.none}>{t('palette.none', { search })}</p>}
      </div>
    </div>
  )
}

/** The first kind in category order. */
const firstListed = (kinds: readonly AnyBlock[]): AnyBlock | undefined => {
  for (const name of categories) {
    const first = kinds.find(({ category }) => category === name)
    if (first) return first
  }
  return undefined
}

type RowProps = Pick<KindListProps, 'onChoose' | 'onGrab' | 'disabled'> & {
  /** the kind that Enter chooses */
  next: string | undefined
}

function Category({ name, kinds, ...rows }: RowProps & { name: BlockCategory; kinds: readonly AnyBlock[] }) {
  const { t } = useTranslation('builder')
  const own = kinds.filter((definition) => definition.category === name)
  if (own.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div role="group" className={styles.category} aria-label={t(`categories.${name}`)}>
      <h2>{t(`categories.${name}`)}</h2>
      {own.map(({ kind }) => (
        <Kind key={kind} kind={kind} category={name} {...rows} />
      ))}
    </div>
  )
}

/** @param props.named also shows its category */
function Kind(props: RowProps & { kind: string; category: BlockCategory; named?: boolean }) {
  const { kind, category, named, next, disabled, onChoose, onGrab } = props
  const texts = useKindTexts()
  const { t } = useTranslation('builder')
  const Icon = iconOf(kind)
  return (
    <button
      type="button"
      className={styles.kind}
      data-kind={kind}
      data-next={kind === next || undefined}
      data-draggable={onGrab !== undefined || undefined}
      title={texts.help(kind)}
      disabled={disabled}
      onPointerDown={onGrab && ((event) => onGrab(event, kind))}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        onChoose(kind)
      }}
      onClick={() => onChoose(kind)}
    >
      <span className={styles.icon} data-category={category} aria-hidden>
        <Icon size={15} strokeWidth={1.9} />
      </span>
      <span className={styles.name}>{texts.title(kind)}</span>
      <span className={styles.aside} aria-hidden>
        {named && t(`categories.${category}`)}
        <CornerDownLeft size={13} />
      </span>
    </button>
  )
}

function walk(event: KeyboardEvent<HTMLElement>) {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button:not(:disabled)')]
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
