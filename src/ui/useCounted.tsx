import { type ReactNode, useState } from 'react'
import { tooLong } from '../../engine/values/caps'
import styles from './Counted.module.css'

interface Counted {
  value?: unknown
  defaultValue?: unknown
  maxLength?: number | undefined
  error?: ReactNode
}

/** The share of the cap from which the character count is visible. */
const NEARLY = 0.8

/**
 * Makes a text field report its cap instead of cutting: nothing typed or pasted is lost, the count appears when little
 * is left, and longer text gets the server's error message (SPEC.md 5).
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
