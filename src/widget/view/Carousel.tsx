/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks'
import { type ChatTexts, fill } from '../texts'
import type { BotMessage, Reply } from '../types'
import { isWebAddress, outward } from './address'
import css from './carousel.module.css'
import { Picture } from './Media'

type Cards = Extract<BotMessage, { kind: 'carousel' }>['items']

/** The buttons that answer now: those of the question that this carousel asks, while it does. */
export interface Answering {
  optionIds: ReadonlySet<string>
  busy: boolean
  onSend: (reply: Reply, label: string) => void
}

/** Cards side by side: swiped, scrolled, moved by arrows on screen and on the keyboard. */
export function Carousel(props: { items: Cards; answering: Answering | null; texts: ChatTexts }) {
  const { items, answering, texts } = props
  const list = useRef<HTMLUListElement>(null)
  const { atStart, atEnd } = useEnds(list)

  function move(by: number): void {
    const row = list.current
    const [first, second] = row?.children ?? []
    if (!row || !(first instanceof HTMLElement)) return
    const step = second instanceof HTMLElement ? second.offsetLeft - first.offsetLeft : first.offsetWidth
    row.scrollBy({ left: by * step })
  }

  return (
    <section class={css.carousel} aria-label={texts.cards}>
      <ul
        ref={list}
        class={css.cards}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        aria-label={texts.cards}
        onKeyDown={(event) => {
          if (event.target !== event.currentTarget) return
          const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
          if (by === undefined) return
          event.preventDefault()
          move(by)
        }}
      >
        {items.map((item, index) => (
          <li key={item.id} class={css.card} aria-label={fill(texts.card, { n: index + 1, of: items.length })}>
            {item.image && (
              <Picture class={css.image} url={item.image} alt={item.title} link={item.imageLink} texts={texts} />
            )}
            <div class={css.words}>
              {item.title && <p class={css.title}>{item.title}</p>}
              {item.description && <p>{item.description}</p>}
            </div>
            {item.buttons.map((button) => (
              <CardButton key={button.id} button={button} answering={answering} />
            ))}
          </li>
        ))}
      </ul>
      {!(atStart && atEnd) && (
        <div class={css.arrows}>
          <button type="button" aria-label={texts.previous} disabled={atStart} onClick={() => move(-1)}>
            <Chevron />
          </button>
          <button type="button" aria-label={texts.next} disabled={atEnd} onClick={() => move(1)}>
            <Chevron />
          </button>
        </div>
      )}
    </section>
  )
}

function CardButton(props: { button: Cards[number]['buttons'][number]; answering: Answering | null }) {
  const { button, answering } = props
  if (button.url && isWebAddress(button.url)) {
    return (
      <a class={css.button} href={button.url} {...outward}>
        {button.label}
      </a>
    )
  }
  const open = answering?.optionIds.has(button.id)
  return (
    <button
      type="button"
      class={css.button}
      disabled={!open || answering?.busy}
      onClick={() => answering?.onSend({ type: 'choice', optionIds: [button.id] }, button.label)}
    >
      {button.label}
    </button>
  )
}

/** Whether a row is scrolled to its beginning, and to its end. */
function useEnds(row: { current: HTMLElement | null }) {
  const [ends, setEnds] = useState({ atStart: true, atEnd: true })
  useEffect(() => {
    const element = row.current
    if (!element) return
    const look = () => {
      const left = Math.abs(element.scrollLeft)
      setEnds({ atStart: left < 2, atEnd: left + element.clientWidth > element.scrollWidth - 2 })
    }
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [row])
  return ends
}

const Chevron = () => (
  <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d="M10 3 5 8l5 5" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" />
  </svg>
)
