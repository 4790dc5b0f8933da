import styles from './KeyHint.module.css'

/** A shortcut, one cap per key: `<KeyHint keys={['⌘', 'K']} />`. */
export function KeyHint({ keys }: { keys: readonly string[] }) {
  return (
    <span className={styles.keys}>
      {keys.map((key) => (
        <kbd key={key} className={styles.key}>
          {key}
        </kbd>
      ))}
    </span>
  )
}
