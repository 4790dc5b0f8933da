import { useEffect } from 'react'
import { preloadCardEditor } from '../../canvas/editing/CardEditor'
import type { OpenFlow } from '../../collab/flowState'
import { whenThere } from '../../collab/useFlow'
import { preloadPreview } from './BuilderPreview'
import { preloadForm, preloadForms } from './Inspector'
import { panels } from './panels/panelTable'

/**
 * The editors of texts, which are opened first, come once the flow is there: before, they would take the line from it.
 * They come while the canvas is drawn, when the line has nothing else to do.
 */
export function usePreloadTexts(flow: OpenFlow | undefined) {
  useEffect(
    () => flow && whenThere(flow, () => void Promise.allSettled([preloadForm('text'), preloadCardEditor()])),
    [flow],
  )
}

/**
 * Once the builder stands, what may be opened next is fetched: so that it opens at once, and without a connection too.
 */
export function usePreload() {
  useEffect(() => {
    const timer = setTimeout(
      () =>
        void Promise.allSettled([
          preloadCardEditor(),
          preloadPreview(),
          preloadForms(),
          ...panels.map(({ Component }) => Component.preload()),
        ]),
      1500,
    )
    return () => clearTimeout(timer)
  }, [])
}
