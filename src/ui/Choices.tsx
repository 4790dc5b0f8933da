import { createContext, type ReactNode, use, useId } from 'react'
import styles from './Choices.module.css'

interface ChoicesContext {
  name: string
  value: string
  choose: (value: string) => void
}
const Context = createContext<ChoicesContext | null>(null)

interface ChoicesProps<Value extends string> {
  label: string
  value: Value
  onChange: (value: Value) => void
  children: ReactNode
}

/** One of a few, each a card with a title and a description: for decisions that need explanation. Contains `Choice`. */
export function Choices<Value extends string>({ label, value, onChange, children }: ChoicesProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.legend}>{label}</legend>
      <div className={styles.row}>
        <Context value={{ name, value, choose: (chosen) => onChange(chosen as Value) }}>{children}</Context>
      </div>
    </fieldset>
  )
}

export function Choice({
  value,
  icon,
  title,
  description,
}: {
  value: string
  icon: ReactNode
  title: string
  description: string
}) {
  const group = use(Context)
  if (!group) throw new Error('A Choice stands in Choices')
  return (
    <label className={styles.choice}>
      <input
        type="radio"
        className={styles.input}
        name={group.name}
        value={value}
        checked={group.value === value}
        onChange={() => group.choose(value)}
      />
      <span className={styles.icon}>{icon}</span>
      <span>
        <span className={styles.title}>{title}</span>
        <span className={styles.description}>{description}</span>
      </span>
    </label>
  )
}
