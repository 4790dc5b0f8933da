import * as Y from 'yjs'
import type { Roots } from './shape'

/** Typing within this time is one step of undo. */
const TYPING_STEP_MS = 500

type Step = Y.UndoManager['undoStack'][number]

/**
 * Undo of what the given origins did, never of what others did. Taking back a change of a key puts back the value before it;
 * where somebody else changed that key meanwhile Yjs does not, and would leave the key without any value (a block without
 * a place is gone): such a key keeps the value that it has.
 * @returns the manager, and what stops it
 */
export function createUndo(
  doc: Y.Doc,
  roots: Roots,
  origins: readonly object[],
): { undo: Y.UndoManager; stop(): void } {
  let steps: readonly Step[] = []
  const undo: Y.UndoManager = new Y.UndoManager(Object.values(roots) as Y.AbstractType<unknown>[], {
    doc,
    trackedOrigins: new Set(origins),
    captureTimeout: TYPING_STEP_MS,
    deleteFilter: (item) => {
      // the step being taken back has just been popped: it stands where the stack ends now
      const step = steps[stack().length]
      return !step || !isPresent(item) || !replacedSomething(item, step)
    },
  })
  const stack = () => (undo.undoing ? undo.undoStack : undo.redoStack)
  const remember = (transaction: Y.Transaction) => {
    if (transaction.origin !== undo) return
    steps = stack().slice()
    const step = steps.at(-1)
    undo.ignoreRemoteMapChanges = step !== undefined && restoresWhole(roots, step)
  }
  doc.on('beforeTransaction', remember)
  return {
    undo,
    stop() {
      doc.off('beforeTransaction', remember)
      undo.destroy()
    },
  }
}

/** Whether the item is what its key holds now; one that a put-back value has replaced is not. */
const isPresent = (item: Y.Item): boolean =>
  item.parentSub !== null && item.parent instanceof Y.AbstractType && item.parent._map.get(item.parentSub) === item

/** Whether the key held a value before the step: one that the step deleted and had not made itself. */
function replacedSomething(item: Y.Item, step: Step): boolean {
  for (let before = item.left; before; before = before.left) {
    if (Y.isDeleted(step.deletions, before.id) && !Y.isDeleted(step.insertions, before.id)) return true
  }
  return false
}

/** Whether the step brings back a whole group or block: all that it held then comes back, whatever a peer did to what was gone. */
const restoresWhole = (roots: Roots, step: Step): boolean =>
  [roots.groups, roots.blocks].some((root) =>
    [...root._map.values()].some((item) => item.deleted && Y.isDeleted(step.deletions, item.id)),
  )
