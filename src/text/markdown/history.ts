import { type Editor, Operation } from 'slate'

/** Undo and redo of one editor, for texts outside documents. */
export interface History {
  undo: () => void
  redo: () => void
  canUndo: () => boolean
  canRedo: () => boolean
}

const MOST_STEPS = 500

/** Records an editor's history: consecutive letters are one step, and so is everything that one action did. */
export function keepHistory(editor: Editor): History {
  const done: Operation[][] = []
  const undone: Operation[][] = []
  let replaying = false
  const { apply } = editor
  editor.apply = (operation) => {
    if (!replaying && operation.type !== 'set_selection') {
      const last = done.at(-1)
      const sameAction = editor.operations.some(({ type }) => type !== 'set_selection')
      if (last && (sameAction || goesOn(last.at(-1), operation))) last.push(operation)
      else done.push([operation])
      if (done.length > MOST_STEPS) done.shift()
      undone.length = 0
    }
    apply(operation)
  }
  const replay = (operations: readonly Operation[]) => {
    replaying = true
    try {
      editor.withoutNormalizing(() => {
        for (const operation of operations) editor.apply(operation)
      })
    } finally {
      replaying = false
    }
  }
  return {
    undo() {
      const step = done.pop()
      if (!step) return
      replay(step.toReversed().map(Operation.inverse))
      undone.push(step)
    },
    redo() {
      const step = undone.pop()
      if (!step) return
      replay(step)
      done.push(step)
    },
    canUndo: () => done.length > 0,
    canRedo: () => undone.length > 0,
  }
}

function goesOn(before: Operation | undefined, now: Operation): boolean {
  if (before?.type === 'insert_text' && now.type === 'insert_text')
    return (
      before.path.join() === now.path.join() &&
      now.offset === before.offset + before.text.length &&
      // a new word starts a new step
      !/\s$/.test(before.text)
    )
  if (before?.type === 'remove_text' && now.type === 'remove_text')
    return before.path.join() === now.path.join() && now.offset + now.text.length === before.offset
  return false
}
