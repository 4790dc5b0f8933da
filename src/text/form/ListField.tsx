import { GripVertical, Plus, X } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { IdSource } from '../../../engine/flow/ids'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import styles from './form.module.css'
import { useField } from './formContext'
import { newId } from './newId'

export interface ListFieldProps {
  name: string
  create: (id: IdSource) => { id: string }
  max: number
  /** the minimal number of items */
  min?: number
  /** shows each item as a card */
  cards?: boolean
  hiddenLabel?: boolean
  /** the order is irrelevant, so there is no handle */
  fixed?: boolean
  /** `path` is the item's place in the data: `${path}.label` names its field */
  children: (path: string, index: number) => ReactNode
}

/** Items with ids: add, remove, reorder by dragging the handle or with its arrow keys. A new item gets the focus. */
export function ListField({
  name,
  create,
  max,
  min = 0,
  cards = false,
  hiddenLabel = false,
  fixed = false,
  children,
}: ListFieldProps) {
  const { t } = useTranslation('text')
  const field = useField<{ id: string }[] | undefined>(name)
  const items = field.value ?? []
  const list = useRef<HTMLDivElement>(null)
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null)
  const [said, setSaid] = useState('')
  const focusNext = useRef<'added' | 'rest' | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: an item that came or went is what it waits for
  useLayoutEffect(() => {
    const rows = list.current
    const place =
      focusNext.current === 'added'
        ? rows?.lastElementChild?.querySelector<HTMLElement>(`.${styles.itemBody} :is(${FIELDS})`)
        : focusNext.current === 'rest'
          ? rows?.nextElementSibling?.querySelector('button')
          : null
    focusNext.current = null
    place?.focus()
  }, [items.length])

  const move = (from: number, to: number) => {
    if (from === to || to < 0 || to >= items.length) return
    const next = [...items]
    next.splice(to, 0, ...next.splice(from, 1))
    field.set(next)
    setSaid(t('form.moved', { place: to + 1, count: items.length }))
  }
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (step === 0) return
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
    <div className={styles.frame}>
      {!hiddenLabel && <div className={styles.label}>{field.label}</div>}
      {!hiddenLabel && field.help && <div className={styles.help}>{field.help}</div>}
      <div className={styles.list} ref={list} data-cards={cards || undefined}>
        {items.map((item, index) => (
          <div
            key={item.id}
            className={styles.item}
            data-card={cards || undefined}
            data-dragged={drag?.from === index || undefined}
            data-drop={
              drag && drag.to === index && drag.to !== drag.from ? (drag.to < drag.from ? 'above' : 'below') : undefined
            }
          >
            {!field.readOnly && !fixed && (
              <button
                type="button"
                className={styles.grip}
                aria-label={`${field.text('item')} ${t('form.place', { place: index + 1, count: items.length })}. ${t('form.reorder')}`}
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
            <div className={styles.itemBody}>{children(`${name}.${index}`, index)}</div>
            {!field.readOnly && items.length > min && (
              <IconButton
                size="s"
                label={t('form.remove')}
                icon={<X size={14} />}
                onClick={() => {
                  focusNext.current = 'rest'
                  field.set(items.filter(({ id }) => id !== item.id))
                }}
              />
            )}
          </div>
        ))}
      </div>
      {!field.readOnly && (
        <div>
          <Button
            design="ghost"
            size="s"
            icon={<Plus size={14} />}
            disabled={items.length >= max}
            onClick={() => {
              focusNext.current = 'added'
              field.set([...items, create(newId)])
            }}
          >
            {field.text('add')}
          </Button>
        </div>
      )}
      <div className={styles.live} aria-live="polite">
        {said}
      </div>
    </div>
  )
}

/** Elements that can be typed into or chosen from. */
const FIELDS = 'input:not([type="hidden"]), textarea, [role="textbox"], [role="combobox"]'
