import type * as Y from 'yjs'
import { type Repair, repairDocument, repairOrigin, watchForRepair } from '../../../../engine/document/repairDocument'
import type { Registry } from '../../../../engine/flow/registry'

/** The origin of a large change that is sound, as whoever made it has seen to: no reason to look. */
export const soundOrigin = { sound: true }

/** Clients' changes in quick succession are looked at together. */
const LOOK_AFTER_MS = 1_000

/**
 * Keeps a document in order for as long as its room is open: puts it right some time after others have changed it. The
 * server alone does this, so that no two editors answer each other's repairs.
 * @param found what was put right as it was loaded
 * @param tell hears what was put right; of a document that was just loaded once somebody has come in (`joined`)
 */
export function keepInOrder(
  doc: Y.Doc,
  registry: Registry,
  found: readonly Repair[],
  tell: (repairs: readonly Repair[]) => void,
): {
  joined: () => void
  whileWhole: (change: () => Promise<void>, about: { sound: boolean }) => Promise<void>
  stop: () => void
} {
  const watch = watchForRepair(doc)
  let untold = [...found]
  let timer: NodeJS.Timeout | undefined
  let held = 0

  const look = () => {
    timer = undefined
    if (held > 0) return lookLater()
    untold.push(...repairDocument(doc, registry, { blocks: watch.takeChanged() }))
    if (untold.length === 0) return
    const repairs = untold
    untold = []
    tell(repairs)
  }
  function lookLater() {
    timer ??= setTimeout(look, LOOK_AFTER_MS).unref()
  }
  const changed = (_update: Uint8Array, origin: unknown) => {
    if (origin !== repairOrigin && origin !== soundOrigin) lookLater()
  }
  doc.on('update', changed)
  return {
    joined: () => {
      if (untold.length > 0) lookLater()
    },
    /**
     * A change that comes in pieces: looked at half way, it would seem broken, and of a sound one there is nothing to
     * find afterwards.
     */
    async whileWhole(change, { sound }) {
      held += 1
      const before = sound ? watch.takeChanged() : []
      try {
        await change()
      } finally {
        held -= 1
        if (sound) watch.takeChanged()
        for (const id of before) watch.mark(id)
      }
    },
    stop() {
      clearTimeout(timer)
      doc.off('update', changed)
      watch.stop()
    },
  }
}
