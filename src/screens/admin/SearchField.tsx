import { Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { TextField } from '../../ui/TextField'
import styles from './admin.module.css'

/** A text that narrows a list, as it was typed last. */
export function useSearch(): { search: string; typed: string; setTyped: (text: string) => void } {
  const [typed, setTyped] = useState('')
  return { search: useDeferredValue(typed.trim().slice(0, 100)), typed, setTyped }
}

export function SearchField({
  label,
  typed,
  setTyped,
}: {
  label: string
  typed: string
  setTyped: (text: string) => void
}) {
  return (
    <TextField
      className={styles.search}
      aria-label={label}
      placeholder={label}
      leftSection={<Search size={15} aria-hidden />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  )
}
