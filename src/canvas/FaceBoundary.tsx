import { Component, type ReactNode } from 'react'

/** Keeps one block's data, which a foreign client or a failed migration left broken, from taking the canvas down. */
export class FaceBoundary extends Component<{ fallback: ReactNode; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }
  static getDerivedStateFromError = () => ({ failed: true })
  override render() {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
