import { Search } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnyBlock, BlockCategory } from '../../engine/flow/defineBlock'
import { useEditor, useKindTexts } from './context'
import styles from './KindList.module.css'
import { iconOf } from './kindFaces'

const categories: readonly BlockCategory[] = ['trigger', 'bubble', 'input', 'ai', 'logic', 'other']

interface KindListProps {
  onChoose: (kind: string) => void
  /** a press that may become a drag */
  onGrab?: (event: PointerEvent, kind: string) => void
  autoFocus?: boolean
  disabled?: boolean
  /** leaves out what nothing can lead to */
  noTriggers?: boolean
  /** more to choose from below the kinds, by what is searched */
  more?: (search: string) => React.ReactNode
}

/** The kinds by category, with a search field over them. Arrow keys walk the list, Enter in the field takes the first. */
export function KindList({ onChoose, onGrab, autoFocus, disabled, noTriggers, more }: KindListProps) {
  const { registry } = useEditor()
  const kinds = useKindTexts()
  const { t } = useTranslation('builder')
  const [search, setSearch] = useState('')
  const found = useMemo(() => {
    const wanted = search.trim().toLowerCase()
    return registry.kinds.filter(
      ({ kind, inPalette, category }) =>
        inPalette &&
        !(noTriggers && category === 'trigger') &&
        `${kinds.title(kind)} ${kinds.help(kind)}`.toLowerCase().includes(wanted),
    )
  }, [registry, kinds, search, noTriggers])
  const below = more?.(search)
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
          // biome-ignore lint/a11y/noAutofocus: the list was opened to choose from it
          autoFocus={autoFocus}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => {
            const first = found[0]
            if (event.key === 'Enter' && first && !disabled) onChoose(first.kind)
          }}
        />
      </label>
      <div className={styles.scroll}>
        {categories.map((category) => (
          <Category key={category} name={category} kinds={found} {...{ onChoose, onGrab, disabled }} />
        ))}
        {below}
        {found.length === 0 && !below && <p className={styles.none}>{t('palette.none', { search })}</p>}
      </div>
    </div>
  )
}

type CategoryProps = Pick<KindListProps, 'onChoose' | 'onGrab' | 'disabled'> & {
  name: BlockCategory
  kinds: readonly AnyBlock[]
}

function Category({ name, kinds, onChoose, onGrab, disabled }: CategoryProps) {
  const texts = useKindTexts()
  const { t } = useTranslation('builder')
  const own = kinds.filter((definition) => definition.category === name)
  if (own.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div role="group" className={styles.category} aria-label={t(`categories.${name}`)}>
      <h2>{t(`categories.${name}`)}</h2>
      {own.map(({ kind }) => {
        const Icon = iconOf(kind)
        return (
          <button
            key={kind}
            type="button"
            className={styles.kind}
            data-kind={kind}
            data-draggable={onGrab !== undefined || undefined}
            title={texts.help(kind)}
            disabled={disabled}
            onPointerDown={onGrab && ((event) => onGrab(event, kind))}
            onClick={() => onChoose(kind)}
          >
            <span className={styles.icon} data-category={name} aria-hidden>
              <Icon size={15} strokeWidth={1.9} />
            </span>
            {texts.title(kind)}
          </button>
        )
      })}
    </div>
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
