import { loadDetector } from './modules/knowledge/retrieval/language'

/**
 * Loads libraries that would hold the event loop for 0.1 s and more at the first question of a visitor. They are large, so threads and the
 * command line load them only where they need them; a server does it while its database starts.
 */
export async function loadAhead(): Promise<void> {
  await Promise.all([loadDetector(), import('ai')])
}
