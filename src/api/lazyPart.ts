import { type ComponentType, lazy } from 'react'
import { serverWatch } from './serverWatch'

/** React's `lazy` for a part of a screen that waits for the server while that is away, instead of failing for good. */
export const lazyPart = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() => load().catch(() => serverWatch.whenThere().then(load)))
