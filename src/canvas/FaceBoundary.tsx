import { Component, type ReactNode } from 'react'

/** Error boundary: a block's invalid data (from a foreign client or a failed migration) must not break the canvas. */
export class FaceBoundary extends Component<{ fallback: ReactNode; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }
  static getDerivedStateFromError = () => ({ failed: true })
  override render() {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
