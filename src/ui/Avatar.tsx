import styles from './Avatar.module.css'
import { personColor } from './personColor'

/** Somebody's initials in their colour. Decorative: the name is beside it or on the control around it. */
export function Avatar({ name, color, size = 26 }: { name: string; color: string; size?: number }) {
  return (
    <span className={styles.avatar} style={{ ...personColor({ color }), width: size, height: size }} aria-hidden>
      {initialsOf(name)}
    </span>
  )
}

/** The first letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return ends
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}
