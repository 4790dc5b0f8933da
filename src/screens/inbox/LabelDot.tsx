import type { InboxLabel } from '../../../server/contracts/inbox'
import styles from './inbox.module.css'

/** A label's colour; its name stands beside it. */
export const LabelDot = ({ colour }: { colour: InboxLabel['colour'] }) => (
  <span className={styles.dot} data-colour={colour} aria-hidden />
)

export const LabelChip = ({ label }: { label: InboxLabel }) => (
  <span className={styles.label}>
    <LabelDot colour={label.colour} />
    {label.name}
  </span>
)
