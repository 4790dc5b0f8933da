import { loadDetector } from './modules/knowledge/retrieval/language'

/**
 * Loads libraries that would block the event loop for 0.1 s and more at a visitor's first question. They are large, so
 * threads and the command line load them on demand; a server does so while its database starts.
 */
export async function loadAhead(): Promise<void> {
  await Promise.all([loadDetector(), import('ai')])
}
