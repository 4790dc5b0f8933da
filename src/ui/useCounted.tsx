import { type ReactNode, useState } from 'react'
import { tooLong } from '../../engine/values/caps'
import styles from './Counted.module.css'

interface Counted {
  value?: unknown
  defaultValue?: unknown
  maxLength?: number | undefined
  error?: ReactNode
}

/** From what part of its room on a text is counted in sight. */
const NEARLY = 0.8

/**
 * What makes a text field show its cap instead of cutting at it: nothing that was typed or pasted is lost, how much of
 * the room it takes is counted when there is little left, and what is too long is said as the server would say it
 * (SPEC.md 5).
 */
export function useCounted<Props extends Counted>({ maxLength, error, ...props }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const text = props.value === undefined ? (typed ?? props.defaultValue) : props.value
  const length = String(text ?? '').trim().length
  if (maxLength === undefined) return { ...props, error }
  return {
    ...props,
    error: length > maxLength ? tooLong(maxLength) : error,
    onInput: (event: { currentTarget: { value: string } }) => setTyped(event.currentTarget.value),
    inputContainer: (field: ReactNode) => (
      <>
        {field}
        {length > maxLength * NEARLY && (
          <span className={styles.count} data-over={length > maxLength || undefined}>
            {length} / {maxLength}
          </span>
        )}
      </>
    ),
  }
}
