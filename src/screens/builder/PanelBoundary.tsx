import { Component, type ReactNode } from 'react'
import styles from './SidePanel.module.css'

/** A form or a preview that throws must not take the canvas with it. */
export class PanelBoundary extends Component<{ message: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }
  static getDerivedStateFromError = () => ({ failed: true })
  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <p className={styles.failed} role="alert">
        {this.props.message}
      </p>
    )
  }
}
