import { useLayoutEffect, useRef } from 'react'
import { CharacterCount } from './CharacterCount'
import type { CardField } from './cardField'
import styles from './text.module.css'

interface CardLineProps {
  value: string
  onChange: (value: string) => void
  label: string
  max: number
  placeholder: string | undefined
  card: CardField
}

/** A line of plain text on a card of the canvas; focused at once, with the same keys as texts with variables. */
export function CardLine({ value, onChange, label, max, placeholder, card }: CardLineProps) {
  const input = useRef<HTMLInputElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as it appears
  useLayoutEffect(() => {
    const typed = card.typed()
    input.current?.focus()
    if (typed) onChange(card.all ? typed : value + typed)
    else if (card.all) input.current?.select()
  }, [])
  return (
    <div className={styles.field} data-card data-single-line data-awake>
      <input
        ref={input}
        className={styles.line}
        value={value}
        aria-label={label}
        placeholder={placeholder}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || !card.onKey(event, value === '')) return
          event.preventDefault()
          event.stopPropagation()
        }}
        onBlur={() => {
          // the window lost the focus, not the field, which gets it back
          if (document.hasFocus()) card.onLeave()
        }}
      />
      <div className={styles.bar}>
        <CharacterCount length={value.length} max={max} />
      </div>
    </div>
  )
}
