import styles from './ProjectTile.module.css'

/** A project's initial on a tile, tinted by its name. */
export function ProjectTile({ name, small }: { name: string; small?: boolean }) {
  const hue = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7)
  return (
    <span className={styles.tile} data-small={small || undefined} style={{ '--hue': hue }} aria-hidden="true">
      {[...name.trim()][0]?.toUpperCase()}
    </span>
  )
}
