import type { Watch } from '../../../../engine/run/watch'
import type { Pauses } from '../tables'

/** The blocks before which a test's turn pauses. */
export function watchOf(pauses: Pauses | null): Watch {
  if (!pauses) return {}
  const { step, at } = pauses
  return { pausesAt: (place) => step || at.some((b) => b.blockId === place.blockId && b.flowId === place.flowId) }
}
