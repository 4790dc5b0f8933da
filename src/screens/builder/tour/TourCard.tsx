import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor } from '../../../canvas/context'
import { Button } from '../../../ui/Button'
import { type Area, placeCard } from './place'
import styles from './Tour.module.css'
import { elementOf, selectionDuring, tourSteps } from './tourSteps'

/** One step after the other beside what it explains, until the last or Escape. Arrow keys go on and back. */
export function TourCard({ onEnd }: { onEnd: () => void }) {
  const { t } = useTranslation('builder')
  const editor = useEditor()
  const [at, setAt] = useState(0)
  const step = tourSteps[at] ?? tourSteps[0]
  if (!step) throw new Error('The tour has no steps')
  const last = at === tourSteps.length - 1
  const card = useRef<HTMLDivElement>(null)
  const area = useArea(() => elementOf(step))
  const [spot, setSpot] = useState<{ left: number; top: number } | null>(null)
  const [title, text] = [useId(), useId()]
  useKeptFocus(card, step.id)
  useKeptSelection()

  // biome-ignore lint/correctness/useExhaustiveDependencies: what a step shows is chosen when it begins
  useEffect(() => editor.store.setState({ selection: selectionDuring(step, editor) }), [step])
  // biome-ignore lint/correctness/useExhaustiveDependencies: its text gives the card its size
  useLayoutEffect(() => {
    const box = card.current?.getBoundingClientRect()
    if (box && area) setSpot(placeCard(area, box, { width: window.innerWidth, height: window.innerHeight }))
  }, [area, step])

  const go = (by: number) => (at + by >= tourSteps.length ? onEnd() : setAt(Math.max(0, at + by)))
  const press = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'ArrowRight') go(1)
    else if (event.key === 'ArrowLeft') go(-1)
    else if (event.key === 'Escape') onEnd()
    else return
    event.preventDefault()
  }
  return (
    <div className={styles.cover}>
      {area && <div className={styles.ring} style={{ ...area }} />}
      <div
        ref={card}
        className={styles.card}
        role="dialog"
        aria-modal="true"
        aria-labelledby={title}
        aria-describedby={text}
        tabIndex={-1}
        onKeyDown={press}
        // before it has its place: there, but unseen
        style={spot ?? { left: 0, top: 0, opacity: 0 }}
      >
        <p className={styles.count}>{t('tour.count', { step: at + 1, count: tourSteps.length })}</p>
        <h2 id={title} className={styles.title}>
          {t(`tour.steps.${step.id}.title`)}
        </h2>
        <p id={text} className={styles.text}>
          {t(`tour.steps.${step.id}.text`)}
        </p>
        <div className={styles.buttons}>
          {!last && (
            <Button size="s" design="ghost" className={styles.leave} onClick={onEnd}>
              {t('tour.leave')}
            </Button>
          )}
          {at > 0 && (
            <Button size="s" onClick={() => go(-1)}>
              {t('tour.back')}
            </Button>
          )}
          <Button size="s" design="primary" onClick={() => go(1)}>
            {t(last ? 'tour.done' : 'tour.next')}
          </Button>
        </div>
      </div>
    </div>
  )
}

/** Where an element is, frame by frame: panels open and slide while a step is shown. */
function useArea(find: () => Element | null): Area | null {
  const [area, setArea] = useState<Area | null>(null)
  const latest = useRef(find)
  useLayoutEffect(() => {
    latest.current = find
  })
  useLayoutEffect(() => {
    let frame = 0
    let before = ''
    const look = () => {
      frame = requestAnimationFrame(look)
      const box = latest.current()?.getBoundingClientRect()
      const now = box ? [box.left, box.top, box.width, box.height].map(Math.round).join(' ') : ''
      if (!box || now === before) return
      before = now
      setArea({ left: box.left, top: box.top, width: box.width, height: box.height })
    }
    look()
    return () => cancelAnimationFrame(frame)
  }, [])
  return area
}

/** The card has the focus while it is there, anew at each step so that it is read, and gives it back at the end. */
function useKeptFocus(card: React.RefObject<HTMLElement | null>, step: string): void {
  useEffect(() => {
    const before = document.activeElement
    const keep = (event: FocusEvent) => {
      if (!card.current?.contains(event.target as Node)) card.current?.focus()
    }
    document.addEventListener('focusin', keep)
    return () => {
      document.removeEventListener('focusin', keep)
      // the offer or the menu that it was started from is gone
      const there = before instanceof HTMLElement && before.isConnected && before !== document.body ? before : null
      const target = there ?? document.querySelector<HTMLElement>('[data-tour="more"]')
      target?.focus()
    }
  }, [card])
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each step
  useEffect(() => card.current?.focus(), [card, step])
}

/** What was selected before is selected again at the end. */
function useKeptSelection(): void {
  const { store } = useEditor()
  useEffect(() => {
    const { selection } = store.getState()
    return () => store.setState({ selection })
  }, [store])
}
