import { useEffect } from 'react'
import { preloadCardEditor } from '../../canvas/editing/CardEditor'
import type { OpenFlow } from '../../collab/flowState'
import { whenThere } from '../../collab/useFlow'
import { preloadPreview } from './BuilderPreview'
import { preloadForm, preloadForms } from './Inspector'
import { panels } from './panels/panelTable'

/**
 * Preloads the text editors after the flow is loaded, while the canvas renders: earlier they would compete for the
 * connection.
 */
export function usePreloadTexts(flow: OpenFlow | undefined) {
  useEffect(
    () => flow && whenThere(flow, () => void Promise.allSettled([preloadForm('text'), preloadCardEditor()])),
    [flow],
  )
}

/** Preloads what may be opened next, so that it opens at once, and offline. */
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
