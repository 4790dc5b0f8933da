import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import styles from './form.module.css'
import { useField } from './formContext'

/** Rarely used fields, folded under the label of `name`. `open`: they have values, so show them. */
export function Details({ name, open, children }: { name: string; open: boolean; children: ReactNode }) {
  const { label } = useField(name)
  const [unfolded, setUnfolded] = useState(open)
  return (
    <div>
      <button type="button" className={styles.fold} aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
        <ChevronRight size={12} aria-hidden />
        {label}
      </button>
      {unfolded && <div className={styles.unfolded}>{children}</div>}
    </div>
  )
}
