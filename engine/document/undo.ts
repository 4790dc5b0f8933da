import * as Y from 'yjs'
import type { Json } from '../values/json'
import { sameJson } from './blockData'
import { GONE, type Roots } from './shape'
import { mergeTextChanges, readTextChange, type TextChange, takeTextBack } from './textUndo'
import {
  type KeptItem,
  type KeptTextChange,
  keepItems,
  keepTextChange,
  readKeptTextChange,
  restoreItems,
} from './undoItems'

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
  /** the newest steps as JSON, for `restore`, so many of what was done and of what was taken back; null when there are none */
  keep(most: number): KeptUndo | null
  /**
   * Takes up what was kept of an earlier stay with the same document, before anything was done in this one. What others have done since
   * stays, as with every undo.
   * @returns false where the document does not have all that the steps build on: then nothing is taken up
   */
  restore(kept: KeptUndo): boolean
  destroy(): void
}

/** Steps of undo that outlive their document in memory. */
export interface KeptUndo {
  done: readonly KeptStep[]
  undone: readonly KeptStep[]
  items: readonly KeptItem[]
}
interface KeptStep {
  changes: readonly KeyChange[]
  text: KeptTextChange | null
  name: Json
}

/** Changes within this time are one step, unless `stopCapturing` comes between. */
const STEP_MS = 500

type RootName = 'groups' | 'blocks' | 'edges' | 'variables'
/** A key of a root map, or of the map of a group or block in it. */
export interface KeyChange {
  root: RootName
  id: string | null
  key: string
  /** undefined: the key was, or is, not there */
  before?: Json | undefined
  after?: Json | undefined
}
interface Step<Name> {
  changes: Map<string, KeyChange>
  text: TextChange | null
  name: Name
}

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
  /** how many of some steps, given newest first, may be kept: those after the last that touched a secret */
  mayKeep?: (steps: readonly (readonly KeyChange[])[]) => number
}): FlowUndo<Name> {
  const { doc, roots, name, clock = () => 0, mayKeep = (steps) => steps.length } = options
  const tracked = new Set<unknown>(options.origins)
  /** of what undo and redo do */
  const own = { undo: true }
  const listeners = new Set<() => void>()
  let done: Step<Name>[] = []
  let undone: Step<Name>[] = []
  /** when the last step got its last change; null: the next change begins another */
  let open: number | null = null
  /** the step that is being taken back or done again */
  let taking: { step: Step<Name>; stack: Step<Name>[]; made: boolean } | null = null
  const told = () => {
    for (const listener of listeners) listener()
  }
  const remember = (transaction: Y.Transaction) => {
    if (transaction.origin !== own && !tracked.has(transaction.origin)) return
    const changes = readChanges(transaction, roots)
    const text = readTextChange(transaction, roots)
    if (changes.size === 0 && !text) return
    if (taking) {
      taking.stack.push({ changes, text, name: taking.step.name })
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
      last.text = mergeTextChanges(last.text, text)
    } else done.push({ changes, text, name: name(transaction.changedParentTypes) })
    open = now
    told()
  }
  doc.on('afterTransaction', remember)

  function take(from: Step<Name>[], to: Step<Name>[]): boolean {
    for (let step = from.pop(); step; step = from.pop()) {
      const { changes, text } = step
      taking = { step, stack: to, made: false }
      open = null
      try {
        doc.transact((transaction) => {
          for (const change of changes.values()) putBack(roots, change)
          if (text) takeTextBack(transaction, roots, text)
        }, own)
        if (taking.made) return true
      } finally {
        taking = null
        told()
      }
    }
    return false
  }
  const stopCapturing = () => {
    open = null
  }

  function newest(steps: readonly Step<Name>[], most: number): Step<Name>[] {
    const last = steps.slice(-most)
    const count = mayKeep(last.toReversed().map(({ changes }) => [...changes.values()]))
    return count > 0 ? last.slice(-count) : []
  }

  return {
    undo: () => take(done, undone),
    redo: () => take(undone, done),
    canUndo: () => done.length > 0,
    canRedo: () => undone.length > 0,
    stopCapturing,
    clear() {
      done = []
      undone = []
      stopCapturing()
      told()
    },
    addTrackedOrigin: (origin) => void tracked.add(origin),
    removeTrackedOrigin: (origin) => void tracked.delete(origin),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    names: () => ({ done: done.map((step) => step.name), undone: undone.map((step) => step.name).reverse() }),
    keep(most) {
      const kept = [newest(done, most), newest(undone, most)] as const
      const steps = kept.flat()
      if (steps.length === 0) return null
      const texts = steps.flatMap(({ text }) => text ?? [])
      return { done: kept[0].map(keepStep), undone: kept[1].map(keepStep), items: keepItems(doc, roots, texts) }
    },
    restore(kept) {
      if (done.length > 0 || undone.length > 0) return true
      const [before, taken] = [kept.done.map(readStep<Name>), kept.undone.map(readStep<Name>)]
      if (![...before, ...taken].every(({ text }) => !text || isIn(doc, text))) return false
      doc.transact((transaction) => restoreItems(transaction, kept.items), own)
      ;[done, undone] = [before, taken]
      stopCapturing()
      told()
      return true
    },
    destroy() {
      doc.off('afterTransaction', remember)
      listeners.clear()
    },
  }
}

const keepStep = <Name>({ changes, text, name }: Step<Name>): KeptStep => ({
  changes: [...changes.values()],
  text: text && keepTextChange(text),
  name: name as Json,
})

const readStep = <Name>({ changes, text, name }: KeptStep): Step<Name> => ({
  changes: new Map(changes.map((change) => [keyOf(change), change])),
  text: text && readKeptTextChange(text),
  name: name as Name,
})

const keyOf = ({ root, id, key }: KeyChange): string => JSON.stringify([root, id, key])

/** Whether the document has come as far as the change. */
const isIn = ({ store }: Y.Doc, { insertions, deletions }: TextChange): boolean =>
  [insertions, deletions].every((set) =>
    Array.from(set.clients).every(([client, spans]) =>
      spans.every(({ clock, len }) => clock + len <= Y.getState(store, client)),
    ),
  )

/** What the transaction did to the keys of the maps; a group or block that it made counts as one that was deleted before. */
function readChanges(transaction: Y.Transaction, roots: Roots): Map<string, KeyChange> {
  const changes = new Map<string, KeyChange>()
  const note = (change: KeyChange) => {
    if (change.before === undefined ? change.after !== undefined : !isSame(change.before, change.after))
      changes.set(keyOf(change), change)
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
