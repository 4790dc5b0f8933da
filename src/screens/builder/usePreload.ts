import { useEffect } from 'react'
import { preloadCardEditor } from '../../canvas/editing/CardEditor'
import { loadPreview } from './BuilderPreview'
import { preloadForm, preloadForms } from './Inspector'

/** The editors of texts, which are opened first, come once the flow is there: before, they would take the line from it. */
export function usePreloadTexts(ready: boolean) {
  useEffect(() => {
    if (ready) void Promise.allSettled([preloadForm('text'), preloadCardEditor()])
  }, [ready])
}

/** Once the builder stands, what may be opened next is fetched: so that it opens at once, and without a connection too. */
export function usePreload() {
  useEffect(() => {
    const timer = setTimeout(() => void Promise.allSettled([preloadCardEditor(), loadPreview(), preloadForms()]), 1500)
    return () => clearTimeout(timer)
  }, [])
}
