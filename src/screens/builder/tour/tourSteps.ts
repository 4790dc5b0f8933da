import type { CanvasState } from '../../../canvas/canvasStore'
import type { Editor } from '../../../canvas/context'

/** A part of the builder that the tour explains; its texts are `tour.steps.<id>`. */
interface TourStep {
  id: 'palette' | 'canvas' | 'settings' | 'preview' | 'publish' | 'help'
  /** where it is, by what elements say of themselves (`data-tour`), the first that is there */
  at: readonly string[]
}

/** In the order in which a chatbot is made. */
export const tourSteps: readonly TourStep[] = [
  // on a small screen, the palette is behind its button
  { id: 'palette', at: ['palette', 'palette-button'] },
  { id: 'canvas', at: ['canvas'] },
  { id: 'settings', at: ['settings', 'canvas'] },
  { id: 'preview', at: ['preview'] },
  { id: 'publish', at: ['publish'] },
  { id: 'help', at: ['more'] },
]

/** The element that a step is about. */
export function elementOf({ at }: TourStep): Element | null {
  for (const name of at) {
    const found = document.querySelector(`[data-tour="${name}"]`)
    if (found) return found
  }
  return null
}

/** What is selected during a step: a block where its settings are explained, so that they are open. */
export function selectionDuring(step: TourStep, { document: flow }: Editor): CanvasState['selection'] {
  const [first] = step.id === 'settings' ? flow.projection().blocks.keys() : []
  return { groups: new Set(), blocks: new Set(first === undefined ? [] : [first]), edges: new Set() }
}
