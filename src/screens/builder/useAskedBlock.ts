import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import type { ShownPlace } from './showPlace'

/** Shows the block that the address asks for (`?block=`), once, as the flow is opened. */
export function useAskedBlock(flowId: string | null, showPlace: (place: ShownPlace) => void): void {
  const [search, setSearch] = useSearchParams()
  const asked = search.get('block')
  const shown = useRef<string>(null)
  useEffect(() => {
    if (asked === null || shown.current === asked) return
    shown.current = asked
    // the canvas is drawn first
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        showPlace({ flowId, blockId: asked })
        setSearch(
          (now) => {
            now.delete('block')
            return now
          },
          { replace: true },
        )
      }),
    )
  }, [asked, flowId, showPlace, setSearch])
}
