import type { PlaygroundDebug } from '../../../server/contracts/playground'

/**
 * The part of a test's record that concerns one flow: blocks of different flows may have equal ids. @param flowId null
 * for the main flow
 */
export function debugIn(debug: PlaygroundDebug | null, flowId: string | null): PlaygroundDebug | null {
  if (!debug) return null
  const here = (place: { flowId: string | null }) => place.flowId === flowId
  return {
    ...debug,
    active: debug.active && here(debug.active) ? debug.active : null,
    paused: debug.paused && here(debug.paused) ? debug.paused : null,
    path: debug.path.filter(here),
    stopped: debug.stopped && here(debug.stopped.at) ? debug.stopped : null,
  }
}
