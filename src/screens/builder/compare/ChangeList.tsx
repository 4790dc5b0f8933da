import { ArrowRight, Braces, Minus, Move, Pencil, Plus, SquareStack } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useKindTexts } from '../../../canvas/context'
import { iconOf } from '../../../canvas/kindFaces'
import { Button } from '../../../ui/Button'
import { EmptyState } from '../../../ui/EmptyState'
import styles from './ChangeList.module.css'
import { FieldDiff } from './FieldDiff'
import type { ChangeItem } from './listChanges'

/** The most changes listed at first. */
const SHOWN = 150
const toneIcons = { added: Plus, removed: Minus, changed: Pencil, moved: Move }

/** The changes of a flow: a click shows the place, and its fields before and after. */
export function ChangeList({
  items,
  at,
  onGo,
}: {
  items: readonly ChangeItem[]
  /** the index of the shown one; -1 for none */
  at: number
  onGo: (at: number) => void
}) {
  const { t } = useTranslation('versions')
  const [more, setMore] = useState(1)
  const open = useRef<HTMLLIElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is open then
  useEffect(() => void open.current?.scrollIntoView({ block: 'nearest' }), [at])
  if (items.length === 0) {
    return <EmptyState icon={<SquareStack size={20} />} title={t('same')} message={t('sameHint')} />
  }
  const shown = Math.max(more * SHOWN, at + 1)
  return (
    <>
      <ul className={styles.list} aria-label={t('changes')}>
        {items.slice(0, shown).map((item, index) => (
          <li
            key={item.key}
            ref={index === at ? open : undefined}
            data-open={index === at || undefined}
            className={styles.item}
          >
            <Row item={item} open={index === at} onClick={() => onGo(index)} />
            {index === at && item.fields.map((field) => <FieldDiff key={field.path.join('/')} field={field} />)}
          </li>
        ))}
      </ul>
      {items.length > shown && (
        <Button size="s" design="ghost" onClick={() => setMore(more + 1)}>
          {t('more', { count: items.length - shown })}
        </Button>
      )}
    </>
  )
}

function Row({ item, open, onClick }: { item: ChangeItem; open: boolean; onClick: () => void }) {
  const words = useChangeWords()
  const Tone = toneIcons[item.change]
  const Kind = item.what === 'variable' ? Braces : item.what === 'edge' ? ArrowRight : iconOf(item.kind ?? '')
  const { title, place } = words(item)
  return (
    <button type="button" className={styles.row} aria-expanded={open} onClick={onClick}>
      <span className={styles.tone} data-tone={item.change} aria-hidden>
        <Tone size={12} strokeWidth={2.4} />
      </span>
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        {place && (
          <span className={styles.place}>
            <Kind size={12} aria-hidden /> {place}
          </span>
        )}
      </span>
    </button>
  )
}

/** A change in words: what happened, and where. */
export function useChangeWords(): (item: ChangeItem) => { title: string; place: string | null } {
  const { t } = useTranslation('versions')
  const kinds = useKindTexts()
  return ({ what, change, name, kind }) => {
    const called = name.trim() || t('untitled')
    const title = t(`items.${what}.${change}`, { name: called, kind: kind === null ? '' : kinds.title(kind) })
    return { title, place: what === 'block' || what === 'edge' ? called : null }
  }
}
