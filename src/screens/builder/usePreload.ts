import { useEffect } from 'react'
import { preloadCardEditor } from '../../canvas/editing/CardEditor'
import { loadPreview } from './BuilderPreview'
import { preloadForm, preloadForms } from './Inspector'

/** The editors of texts come while the flow does: they are what is opened first. */
export function usePreloadTexts() {
  useEffect(() => void Promise.allSettled([preloadForm('text'), preloadCardEditor()]), [])
}

/** Once the builder stands, what may be opened next is fetched: so that it opens at once, and without a connection too. */
export function usePreload() {
  useEffect(() => {
    const timer = setTimeout(() => void Promise.allSettled([preloadCardEditor(), loadPreview(), preloadForms()]), 1500)
    return () => clearTimeout(timer)
  }, [])
}
