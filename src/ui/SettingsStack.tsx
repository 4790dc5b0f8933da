import type { ReactNode } from 'react'
import styles from './SettingsStack.module.css'

/** The column of cards of a settings screen. */
export const SettingsStack = ({ children }: { children: ReactNode }) => <div className={styles.stack}>{children}</div>
