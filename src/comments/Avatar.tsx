import type { CommentPerson } from '../../server/api/comments/contract'
import styles from './Avatar.module.css'

/** Somebody's initials in their colour; the name stands beside it. */
export function Avatar({ person }: { person: Pick<CommentPerson, 'name' | 'color' | 'former'> }) {
  return (
    <span
      className={styles.avatar}
      data-former={person.former || undefined}
      style={{ backgroundColor: person.color }}
      aria-hidden
    >
      {initials(person.name)}
    </span>
  )
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  const last = words.length > 1 ? words.at(-1) : undefined
  return [words[0], last]
    .map((word) => (word ? (Array.from(word)[0] ?? '') : ''))
    .join('')
    .toUpperCase()
}
