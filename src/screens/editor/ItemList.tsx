import { GripVertical, Plus, Trash2 } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import css from './items.module.css'

interface ItemListProps<Item> {
  /** what an item is called, for those who hear it */
  item: string
  /** what the button says that adds one */
  add: string
  items: readonly Item[]
  max: number
  readOnly: boolean
  create: () => Item
  onChange: (items: Item[]) => void
  children: (item: Item, index: number, set: (item: Item) => void) => ReactNode
}

/** Items in an order: added, taken away, moved by dragging the handle or by its arrow keys. */
export function ItemList<Item>(props: ItemListProps<Item>) {
  const { item, add, items, max, readOnly, create, onChange, children } = props
  const { t } = useTranslation('appearance')
  const list = useRef<HTMLOListElement>(null)
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null)
  const [said, setSaid] = useState('')
  /** what gets the focus when the items have changed */
  const next = useRef<{ index: number; part: 'grip' | 'field' | 'add' } | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: items that moved, came or went are what it waits for
  useLayoutEffect(() => {
    const wanted = next.current
    next.current = null
    if (!wanted) return
    const row = list.current?.children[wanted.index]
    const place =
      wanted.part === 'add'
        ? list.current?.parentElement?.querySelector<HTMLElement>('[data-add]')
        : row?.querySelector<HTMLElement>(wanted.part === 'grip' ? '[data-grip]' : 'input, textarea')
    place?.focus()
  }, [items])

  const move = (from: number, to: number) => {
    if (from === to || to < 0 || to >= items.length) return
    const moved = [...items]
    moved.splice(to, 0, ...moved.splice(from, 1))
    next.current = { index: to, part: 'grip' }
    onChange(moved)
    setSaid(t('items.moved', { place: to + 1, count: items.length }))
  }
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    move(index, index + step)
  }
  const onPointerMove = (event: PointerEvent) => {
    if (!drag || !list.current) return
    const middles = [...list.current.children].map((row) => {
      const { top, height } = row.getBoundingClientRect()
      return top + height / 2
    })
    const to = middles.filter((middle, index) => index !== drag.from && middle < event.clientY).length
    if (to !== drag.to) setDrag({ ...drag, to })
  }
  const drop = () => {
    if (drag) move(drag.from, drag.to)
    setDrag(null)
  }

  return (
    <div>
      <ol ref={list} className={css.items}>
        {items.map((each, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: items have no names, their fields no state
            key={index}
            className={css.item}
            data-dragged={drag?.from === index || undefined}
            data-drop={
              drag && drag.to === index && drag.to !== drag.from ? (drag.to < drag.from ? 'above' : 'below') : undefined
            }
          >
            {!readOnly && (
              <button
                type="button"
                data-grip
                className={css.grip}
                aria-label={t('items.move', { item, place: index + 1, count: items.length })}
                onKeyDown={(event) => onKeyDown(event, index)}
                onPointerDown={(event) => {
                  if (event.button !== 0) return
                  event.currentTarget.setPointerCapture(event.pointerId)
                  setDrag({ from: index, to: index })
                }}
                onPointerMove={onPointerMove}
                onPointerUp={drop}
                onPointerCancel={() => setDrag(null)}
              >
                <GripVertical size={14} aria-hidden />
              </button>
            )}
            <div className={css.body}>
              {children(each, index, (changed) => onChange(items.map((old, at) => (at === index ? changed : old))))}
            </div>
            {!readOnly && (
              <IconButton
                size="s"
                label={t('items.remove', { item, place: index + 1 })}
                icon={<Trash2 size={14} />}
                onClick={() => {
                  next.current = { index: 0, part: 'add' }
                  onChange(items.filter((_, at) => at !== index))
                }}
              />
            )}
          </li>
        ))}
      </ol>
      {!readOnly && (
        <Button
          data-add
          size="s"
          icon={<Plus size={14} />}
          disabled={items.length >= max}
          onClick={() => {
            next.current = { index: items.length, part: 'field' }
            onChange([...items, create()])
          }}
        >
          {add}
        </Button>
      )}
      <p role="status" className={css.said}>
        {said}
      </p>
    </div>
  )
}
