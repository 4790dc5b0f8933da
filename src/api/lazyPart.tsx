import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { serverWatch } from './serverWatch'

export type LazyPart<Props> = ComponentType<Props> & {
  /** fetches it, so that it opens at once; rejects while the server is away */
  preload: () => Promise<unknown>
}

/**
 * A part of a screen whose program is fetched when it is first shown, or before. It waits for the server while that is away, and fails into
 * the error boundary around it. React's own `lazy` would keep what stands in for a part for 300 ms, also where that is there by then.
 *
 * @param waiting stands in for it meanwhile
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
