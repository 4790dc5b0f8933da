import type * as Y from 'yjs'
import { type Repair, repairDocument, repairOrigin, watchForRepair } from '../../engine/document/repairDocument'
import type { Registry } from '../../engine/flow/registry'

/** Clients' changes in quick succession are looked at together. */
const LOOK_AFTER_MS = 1_000

/**
 * Keeps a document in order for as long as its room is open: puts it right as it was loaded, and again some time after others have
 * changed it. The server alone does this, so that no two editors answer each other's repairs.
 * @param tell hears what was put right; of a document that was just loaded once somebody has come in (`joined`)
 */
export function keepInOrder(
  doc: Y.Doc,
  registry: Registry,
  tell: (repairs: readonly Repair[]) => void,
): { joined: () => void; stop: () => void } {
  const watch = watchForRepair(doc)
  let untold = repairDocument(doc, registry, { ties: true })
  watch.takeChanged()
  let timer: NodeJS.Timeout | undefined

  const look = () => {
    timer = undefined
    untold.push(...repairDocument(doc, registry, { blocks: watch.takeChanged() }))
    if (untold.length === 0) return
    const repairs = untold
    untold = []
    tell(repairs)
  }
  const lookLater = () => {
    timer ??= setTimeout(look, LOOK_AFTER_MS).unref()
  }
  const changed = (_update: Uint8Array, origin: unknown) => {
    if (origin !== repairOrigin) lookLater()
  }
  doc.on('update', changed)
  return {
    joined: () => {
      if (untold.length > 0) lookLater()
    },
    stop() {
      clearTimeout(timer)
      doc.off('update', changed)
      watch.stop()
    },
  }
}
