/** @jsxImportSource preact */
import { useRef, useState } from 'preact/hooks'
import type { InputProps } from './inputProps'
import css from './rating.module.css'

/** A scale to choose from: a tap answers; arrow keys go along it, Enter or Space answers. */
export function Rating({ request, busy, texts, onSend }: InputProps<'rating'>) {
  const { options, scale } = request
  /** where the keyboard stands */
  const [marked, mark] = useState<number | null>(null)
  /** where the pointer is */
  const [hovered, hover] = useState<number | null>(null)
  const group = useRef<HTMLDivElement>(null)
  const shown = hovered ?? marked

  function moveTo(index: number): void {
    const next = (index + options.length) % options.length
    mark(next)
    const button = group.current?.children[next]
    if (button instanceof HTMLElement) button.focus()
  }

  function onKeyDown(event: KeyboardEvent, index: number): void {
    const target = {
      ArrowRight: index + 1,
      ArrowDown: index + 1,
      ArrowLeft: index - 1,
      ArrowUp: index - 1,
      Home: 0,
      End: options.length - 1,
    }[event.key]
    if (target === undefined) return
    event.preventDefault()
    moveTo(target)
  }

  const [first, last] = [options[0]?.label ?? '', options.at(-1)?.label ?? '']
  const ends = scale !== 'text' && Number.isNaN(Number(first)) && options.length > 1
  return (
    <div class={css.rating}>
      <div
        ref={group}
        class={css.scale}
        data-scale={scale}
        role="radiogroup"
        aria-label={texts.rate}
        style={{ '--columns': columnsOf(options.length) }}
      >
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useSemanticElements: the arrows of native radios would answer at the first step
          <button
            key={option.id}
            type="button"
            role="radio"
            aria-checked={marked === index}
            aria-label={option.label}
            title={scale === 'text' ? undefined : option.label}
            tabIndex={index === (marked ?? 0) ? 0 : -1}
            disabled={busy}
            data-lit={shown !== null && (scale === 'stars' ? index <= shown : index === shown) ? true : undefined}
            onClick={() => onSend({ type: 'choice', optionIds: [option.id] }, option.label)}
            onKeyDown={(event) => onKeyDown(event, index)}
            onPointerEnter={() => hover(index)}
            onPointerLeave={() => hover(null)}
          >
            {scale === 'emoji' && <Face mood={moodOf(index, options.length)} />}
            {scale === 'stars' && <Star />}
            {(scale === 'text' || scale === 'numbers') && option.label}
          </button>
        ))}
      </div>
      {ends && (
        <p class={css.ends} aria-hidden="true">
          <span>{first}</span>
          <span>{last}</span>
        </p>
      )}
    </div>
  )
}

/** Up to five stand in one row, more in two. */
const columnsOf = (count: number): number => (count <= 5 ? count : Math.ceil(count / 2))

/** From -1, the first of a scale, to 1, its last. */
const moodOf = (index: number, count: number): number => (count > 1 ? (2 * index) / (count - 1) - 1 : 1)

/** Drawn, since fonts differ in their faces and some systems have none. */
const Face = ({ mood }: { mood: number }) => (
  <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
    <circle cx="16" cy="16" r="13" class={css.head} />
    <circle cx="11.5" cy="13" r="1.7" fill="currentColor" />
    <circle cx="20.5" cy="13" r="1.7" fill="currentColor" />
    <path
      d={`M10 ${20.5 - mood * 1.8}Q16 ${20.5 + mood * 5.4} 22 ${20.5 - mood * 1.8}`}
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
    />
  </svg>
)

const Star = () => (
  <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
    <path
      class={css.head}
      d="m16 4.5 3.6 7.3 8 1.1-5.8 5.7 1.4 8-7.2-3.8-7.2 3.8 1.4-8-5.8-5.7 8-1.1z"
      stroke-linejoin="round"
    />
  </svg>
)
