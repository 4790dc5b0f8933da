import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './editor.module.css'

/** A part of the sidebar that opens and closes; it says that it has an error while it is closed. */
export function Group(props: {
  icon: ReactNode
  title: string
  about: string
  open?: boolean
  wrong: string | null
  children: ReactNode
}) {
  const { icon, title, about, open = false, wrong, children } = props
  return (
    <details className={css.group} open={open}>
      <summary className={css.summary}>
        <span className={css.groupIcon} aria-hidden="true">
          {icon}
        </span>
        <span className={css.groupWords}>
          <span className={css.groupTitle}>{title}</span>
          <span className={css.groupAbout}>{wrong ?? about}</span>
        </span>
        {wrong !== null && <span className={css.wrong} aria-hidden="true" />}
        <ChevronDown size={15} className={css.chevron} aria-hidden="true" />
      </summary>
      <div className={css.fields}>{children}</div>
    </details>
  )
}
