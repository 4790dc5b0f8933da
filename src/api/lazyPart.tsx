import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { serverWatch } from './serverWatch'

export type LazyPart<Props> = ComponentType<Props> & {
  /** loads it in advance; rejects while the server is unavailable */
  preload: () => Promise<unknown>
}

/**
 * A component that is loaded when it is first rendered, or before. It waits for the server while that is unavailable,
 * and fails into the error boundary. React's own `lazy` would show the fallback for at least 300 ms.
 *
 * @param waiting the fallback
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  waiting: ReactNode = null,
): LazyPart<Props> {
  const part: Part<Props> = {
    loaded: null,
    waiting,
    async load() {
      part.loaded = (await load()).default
      return part.loaded
    },
  }
  return Object.assign((props: Props) => <Shown part={part} props={props} />, { preload: part.load })
}

interface Part<Props> {
  loaded: ComponentType<Props> | null
  waiting: ReactNode
  load: () => Promise<ComponentType<Props>>
}

function Shown<Props extends object>({ part, props }: { part: Part<Props>; props: Props }) {
  const [Present, show] = useState(() => part.loaded)
  useEffect(() => {
    if (Present) return
    let shown = true
    part
      .load()
      .catch(() => serverWatch.whenThere().then(part.load))
      .then(
        (loaded) => shown && show(() => loaded),
        (error: unknown) =>
          shown &&
          show(() => {
            throw error
          }),
      )
    return () => {
      shown = false
    }
  }, [part, Present])
  return Present ? <Present {...props} /> : part.waiting
}
