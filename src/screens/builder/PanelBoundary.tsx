import { Component, type ReactNode } from 'react'
import styles from './SidePanel.module.css'

/** Error boundary: a form or preview that throws must not break the canvas. */
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
