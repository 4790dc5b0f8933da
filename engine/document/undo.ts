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

/** Undo of edits with the given origins, never of other people's (README.md, "Undo puts back values"). */
export interface FlowUndo<Name = unknown> {
  /** @returns whether there was a step to undo */
  undo(): boolean
  redo(): boolean
  canUndo(): boolean
  canRedo(): boolean
  /** starts a new step with the next change */
  stopCapturing(): void
  /** forgets all steps */
  clear(): void
  addTrackedOrigin(origin: object): void
  removeTrackedOrigin(origin: object): void
  /** called whenever a step was made, undone or forgotten; returns unsubscribe */
  subscribe(listener: () => void): () => void
  /** done steps, oldest first, and undone steps, last undone first */
  names(): { done: readonly Name[]; undone: readonly Name[] }
  /**
   * exports up to `most` of the newest done and of the newest undone steps as JSON, for `restore`; null when there are
   * none
   */
  keep(most: number): KeptUndo | null
  /**
   * Imports steps that were kept from an earlier session with the same document; call it before any edit. Edits that
   * others made since are kept, as with every undo.
   * @returns false if the document lacks anything the steps build on: then nothing is imported
   */
  restore(kept: KeptUndo): boolean
  destroy(): void
}

/** Undo steps that survive a reload of the document. */
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

/** Changes within this time form one step, unless `stopCapturing` is called. */
const STEP_MS = 500

type RootName = 'groups' | 'blocks' | 'edges' | 'variables' | 'languages'
/** A key of a root map, or of the map of a group or block in it. */
export interface KeyChange {
  root: RootName
  id: string | null
  key: string
  /** undefined: the key was, or is, absent */
  before?: Json | undefined
  after?: Json | undefined
}
interface Step<Name> {
  changes: Map<string, KeyChange>
  text: TextChange | null
  name: Name
}

/**
 * @param options.origins origins whose changes are recorded as steps
 * @param options.name names a new step, from the types that its first change touched
 * @param options.clock ms; without it a step lasts until the next `stopCapturing`
 */
export function createUndo<Name>(options: {
  doc: Y.Doc
  roots: Roots
  origins: readonly object[]
  name: (changed: ReadonlyMap<unknown, unknown>) => Name
  clock?: () => number
  /** how many of the given steps, newest first, may be exported: those after the last one that touched a secret */
  mayKeep?: (steps: readonly (readonly KeyChange[])[]) => number
}): FlowUndo<Name> {
  const { doc, roots, name, clock = () => 0, mayKeep = (steps) => steps.length } = options
  const tracked = new Set<unknown>(options.origins)
  /** the transaction origin of undo and redo */
  const own = { undo: true }
  const listeners = new Set<() => void>()
  let done: Step<Name>[] = []
  let undone: Step<Name>[] = []
  /** when the last step was last changed; null: the next change starts a new one */
  let open: number | null = null
  /** the step being undone or redone */
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

/** Whether the document contains the change. */
const isIn = ({ store }: Y.Doc, { insertions, deletions }: TextChange): boolean =>
  [insertions, deletions].every((set) =>
    Array.from(set.clients).every(([client, spans]) =>
      spans.every(({ clock, len }) => clock + len <= Y.getState(store, client)),
    ),
  )

/** What the transaction changed in keys of the maps; a group or block that it created counts as previously deleted. */
function readChanges(transaction: Y.Transaction, roots: Roots): Map<string, KeyChange> {
  const changes = new Map<string, KeyChange>()
  const note = (change: KeyChange) => {
    if (change.before === undefined ? change.after !== undefined : !isSame(change.before, change.after))
      changes.set(keyOf(change), change)
  }
  for (const root of ['groups', 'blocks', 'edges', 'variables', 'languages'] as const) {
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

/** Restores a key, unless somebody has written it since. */
function putBack(roots: Roots, { root, id, key, before, after }: KeyChange): void {
  const map = id === null ? roots[root] : roots[root].get(id)
  if (!(map instanceof Y.Map) || !isSame(map.get(key), after)) return
  if (before === undefined) map.delete(key)
  else map.set(key, before)
}

const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (a !== undefined && b !== undefined && sameJson(a as Json, b as Json))
