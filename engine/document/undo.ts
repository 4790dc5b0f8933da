import * as Y from 'yjs'
import type { Json } from '../values/json'
import { sameJson } from './blockData'
import { GONE, type Roots } from './shape'

/** Undo of what the given origins did, never of what others did (README.md, "Undo puts back values"). */
export interface FlowUndo<Name = unknown> {
  /** @returns whether there was something to take back */
  undo(): boolean
  redo(): boolean
  canUndo(): boolean
  canRedo(): boolean
  /** what comes next is a step of its own */
  stopCapturing(): void
  /** forgets all steps */
  clear(): void
  addTrackedOrigin(origin: object): void
  removeTrackedOrigin(origin: object): void
  /** called whenever a step was made, taken back or forgotten; returns unsubscribe */
  subscribe(listener: () => void): () => void
  /** what was done, oldest first, and what was taken back, the last taken back first */
  names(): { done: readonly Name[]; undone: readonly Name[] }
  destroy(): void
}

/** Changes within this time are one step, unless `stopCapturing` comes between. */
const STEP_MS = 500

type RootName = 'groups' | 'blocks' | 'edges' | 'variables'
/** A key of a root map, or of the map of a group or block in it. */
interface KeyChange {
  root: RootName
  id: string | null
  key: string
  /** undefined: the key was, or is, not there */
  before: Json | undefined
  after: Json | undefined
}
interface Step<Name> {
  changes: Map<string, KeyChange>
  text: TextStep | null
  name: Name
}
type TextStep = Y.UndoManager['undoStack'][number]

/**
 * @param options.origins whose changes are kept as steps
 * @param options.name what a new step is called, from the types that its first change touched
 * @param options.clock ms; without it all that comes before the next `stopCapturing` is one step
 */
export function createUndo<Name>(options: {
  doc: Y.Doc
  roots: Roots
  origins: readonly object[]
  name: (changed: ReadonlyMap<unknown, unknown>) => Name
  clock?: () => number
}): FlowUndo<Name> {
  const { doc, roots, name, clock = () => 0 } = options
  const tracked = new Set<unknown>(options.origins)
  const listeners = new Set<() => void>()
  let done: Step<Name>[] = []
  let undone: Step<Name>[] = []
  /** when the last step got its last change; null: the next change begins another */
  let open: number | null = null
  /** the step that is being taken back or done again */
  let taking: { step: Step<Name>; stack: Step<Name>[]; made: boolean } | null = null
  /** the step whose text part Yjs is about to name */
  let latest: Step<Name> | null = null

  const told = () => {
    for (const listener of listeners) listener()
  }
  const remember = (transaction: Y.Transaction) => {
    latest = null
    if (!tracked.has(transaction.origin)) return
    const changes = readChanges(transaction, roots)
    if (changes.size === 0 && !transaction.changedParentTypes.has(roots.texts as never)) return
    if (taking) {
      latest = { changes, text: null, name: taking.step.name }
      taking.stack.push(latest)
      taking.made = true
      return
    }
    undone = []
    const now = clock()
    const last = done.at(-1)
    if (last && open !== null && now - open < STEP_MS) {
      for (const [at, change] of changes) {
        const before = last.changes.get(at)
        last.changes.set(at, before ? { ...change, before: before.before } : change)
      }
      latest = last
    } else {
      texts.stopCapturing()
      latest = { changes, text: null, name: name(transaction.changedParentTypes) }
      done.push(latest)
    }
    open = now
    told()
  }
  // before the texts' own listener, so that it finds the step which its part belongs to
  doc.on('afterTransaction', remember)

  const texts: Y.UndoManager = new Y.UndoManager([roots.texts] as Y.AbstractType<unknown>[], {
    doc,
    trackedOrigins: tracked as Set<unknown>,
    captureTimeout: Number.POSITIVE_INFINITY,
    // a text is there for good, with what it was made with: its block alone comes and goes
    deleteFilter: (item) => {
      const made = taking?.step.text?.insertions
      const whole = textOf(item, roots)
      return item !== whole && !(whole && made && Y.isDeleted(made, whole.id))
    },
  })
  const keepText = ({ stackItem }: { stackItem: TextStep }) => {
    if (latest) latest.text = stackItem
  }
  texts.on('stack-item-added', keepText)

  function take(from: Step<Name>[], to: Step<Name>[], direction: 'undoing' | 'redoing'): boolean {
    stopCapturing()
    for (let step = from.pop(); step; step = from.pop()) {
      taking = { step, stack: to, made: false }
      texts[direction] = true
      try {
        doc.transact(() => {
          for (const change of (step as Step<Name>).changes.values()) putBack(roots, change)
          if (step?.text) takeText(step.text)
          // Yjs has let go of it, and files what this transaction did to texts at its end
          texts[direction] = true
        }, texts)
        if (taking.made) return true
      } finally {
        texts[direction] = false
        taking = null
        stopCapturing()
        told()
      }
    }
    return false

    function takeText(text: TextStep) {
      texts.undoStack = direction === 'undoing' ? [text] : []
      texts.redoStack = direction === 'redoing' ? [text] : []
      if (direction === 'undoing') texts.undo()
      else texts.redo()
    }
  }
  function stopCapturing() {
    open = null
    texts.stopCapturing()
  }

  return {
    undo: () => take(done, undone, 'undoing'),
    redo: () => take(undone, done, 'redoing'),
    canUndo: () => done.length > 0,
    canRedo: () => undone.length > 0,
    stopCapturing,
    clear() {
      done = []
      undone = []
      stopCapturing()
      texts.clear()
      told()
    },
    addTrackedOrigin: (origin) => void tracked.add(origin),
    removeTrackedOrigin: (origin) => void tracked.delete(origin),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    names: () => ({ done: done.map((step) => step.name), undone: undone.map((step) => step.name).reverse() }),
    destroy() {
      doc.off('afterTransaction', remember)
      texts.destroy()
      listeners.clear()
    },
  }
}

/** What the transaction did to the keys of the maps; a group or block that it made counts as one that was deleted before. */
function readChanges(transaction: Y.Transaction, roots: Roots): Map<string, KeyChange> {
  const changes = new Map<string, KeyChange>()
  const note = (change: KeyChange) => {
    if (change.before === undefined ? change.after !== undefined : !isSame(change.before, change.after))
      changes.set(JSON.stringify([change.root, change.id, change.key]), change)
  }
  for (const root of ['groups', 'blocks', 'edges', 'variables'] as const) {
    const type = roots[root]
    for (const { target, keys } of (transaction.changedParentTypes.get(type as never) ??
      []) as Y.YMapEvent<unknown>[]) {
      const id = target === type ? null : target.parent === type ? (target._item?.parentSub ?? null) : undefined
      if (id === undefined) continue
      for (const [key, { oldValue }] of keys) {
        const value = target.get(key)
        if (value instanceof Y.AbstractType || oldValue instanceof Y.AbstractType) {
          if (id === null && value instanceof Y.Map) note({ root, id: key, key: GONE, before: true, after: undefined })
        } else note({ root, id, key, before: oldValue as Json | undefined, after: value as Json | undefined })
      }
    }
  }
  return changes
}

/** Where somebody has written since, theirs stays. */
function putBack(roots: Roots, { root, id, key, before, after }: KeyChange): void {
  const map = id === null ? roots[root] : roots[root].get(id)
  if (!(map instanceof Y.Map) || !isSame(map.get(key), after)) return
  if (before === undefined) map.delete(key)
  else map.set(key, before)
}

const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (a !== undefined && b !== undefined && sameJson(a as Json, b as Json))

/** The item that holds the text which the item is part of. */
function textOf(item: Y.Item, roots: Roots): Y.Item | null {
  let at: Y.Item | null = item
  while (at && at.parent !== (roots.texts as unknown)) at = (at.parent as Y.AbstractType<unknown> | null)?._item ?? null
  return at
}
