import type * as Y from 'yjs'
import { type Repair, repairDocument, repairOrigin, watchForRepair } from '../../../../engine/document/repairDocument'
import type { Registry } from '../../../../engine/flow/registry'

/** The origin of a large change that its author has validated: no check needed. */
export const soundOrigin = { sound: true }

/** Clients' changes in quick succession are checked together. */
const LOOK_AFTER_MS = 1_000

/**
 * Keeps a document valid while its room is open: repairs it some time after clients have changed it. Only the server
 * does this, so that no two editors react to each other's repairs.
 * @param found repairs made at loading
 * @param tell called with repairs; with those made at loading once somebody has joined (`joined`)
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
     * Applies a change in pieces: the document is not checked in between, nor afterwards if the change is validated.
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
