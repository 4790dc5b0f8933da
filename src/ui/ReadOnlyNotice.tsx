import { Eye } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './ReadOnlyNotice.module.css'

/** Says that what is below can be looked at, not changed. */
export function ReadOnlyNotice({ children }: { children: ReactNode }) {
  return (
    <p className={styles.notice}>
      <Eye size={15} /> {children}
    </p>
  )
}
