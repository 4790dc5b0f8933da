import { Eye } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './ReadOnlyNotice.module.css'

/** A notice that the content below is read-only. */
export function ReadOnlyNotice({ children }: { children: ReactNode }) {
  return (
    <p className={styles.notice}>
      <Eye size={15} /> {children}
    </p>
  )
}
