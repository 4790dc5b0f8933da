import { loadDetector } from './modules/knowledge/retrieval/language'
import { nextTurn } from './platform/nextTurn'

/**
 * Loads libraries that would block the event loop for 0.1 s and more at a visitor's first question. They are large, so
 * threads and the command line load them on demand; a server does so as soon as it answers, one after the other.
 */
export async function loadAhead(): Promise<void> {
  for (const load of [loadDetector, () => import('ai')]) {
    await nextTurn()
    await load()
  }
}
