import { type ReactNode, useId } from 'react'
import styles from './Slider.module.css'

export interface SliderProps {
  label: string
  description?: ReactNode
  value: number
  min: number
  max: number
  step: number
  /** the value as displayed and read aloud */
  shown: string
  /** the meaning of the two ends */
  ends?: readonly [string, string]
  readOnly?: boolean
  error?: string | undefined
  onChange: (value: number) => void
}

/** A number in a range, by dragging or arrow keys. */
export function Slider(props: SliderProps) {
  const { label, description, value, min, max, step, shown, ends, readOnly = false, error, onChange } = props
  const id = useId()
  return (
    <div>
      <div className={styles.head}>
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
        <output htmlFor={id} className={styles.value}>
          {shown}
        </output>
      </div>
      {description && (
        <p id={`${id}-about`} className={styles.description}>
          {description}
        </p>
      )}
      <input
        id={id}
        type="range"
        className={styles.range}
        min={min}
        max={max}
        step={step}
        value={value}
        disabled={readOnly}
        aria-valuetext={shown}
        aria-describedby={description ? `${id}-about` : undefined}
        aria-invalid={error !== undefined}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
      {ends && (
        <div className={styles.ends} aria-hidden="true">
          <span>{ends[0]}</span>
          <span>{ends[1]}</span>
        </div>
      )}
      {error && <p className={styles.error}>{error}</p>}
    </div>
  )
}
