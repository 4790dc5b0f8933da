import * as Y from 'yjs'
import { flowCaps } from '../flow/schema'
import { MAX_LANGUAGES } from '../translations/translation'
import { GONE, rootsOf } from './shape'

/** The caps of a flow (engine/flow/schema.ts) as they apply to a shared document, and caps that only documents have. */
export const documentCaps = {
  groups: flowCaps.groups,
  blocks: flowCaps.blocks,
  edges: flowCaps.edges,
  variables: flowCaps.variables,
  /**
   * characters per text: five times what any kind accepts, because a text that is too long is for its editor to
   * shorten, not for the server to refuse
   */
  text: 100_000,
  /** keys per block: the largest form has some 15,000 */
  block: 40_000,
  /** deleted items are kept for undo: together with them a document may hold this many times as many items */
  withDeleted: 4,
} as const

/** The cap that a document exceeds; `deleted`: existing and deleted items together. */
export type OverCap = 'groups' | 'blocks' | 'edges' | 'variables' | 'text' | 'block' | 'deleted'

export interface CapWatch {
  /** Predicts which cap an update would exceed before it is applied; finds most cases. */
  foresee(update: Uint8Array): OverCap | null
  /** The cap that the last transaction exceeded, or exceeded further. */
  broken(): OverCap | null
  stop(): void
}

type Counted = 'groups' | 'blocks' | 'edges' | 'variables'
const COUNTED: readonly Counted[] = ['groups', 'blocks', 'edges', 'variables']
const isCounted = (root: string): root is Counted => (COUNTED as readonly string[]).includes(root)
const ROOTS = [...COUNTED, 'texts', 'languages'] as const

/** Keys that a root map may have, deleted ones included: a variable has up to five, a block several texts. */
const MOST_KEYS = {
  groups: documentCaps.groups * documentCaps.withDeleted,
  blocks: documentCaps.blocks * documentCaps.withDeleted,
  edges: documentCaps.edges * documentCaps.withDeleted,
  variables: documentCaps.variables * documentCaps.withDeleted * 5,
  texts: documentCaps.blocks * documentCaps.withDeleted * 2,
  languages: MAX_LANGUAGES * documentCaps.withDeleted,
} as const

/**
 * Counts a document's content as it changes, so that a peer's change is judged by what it adds. A document that already
 * exceeds a cap stays open and may shrink.
 */
export function watchCaps(doc: Y.Doc): CapWatch {
  const roots = rootsOf(doc)
  const isLiving: Readonly<Record<Counted, (id: string) => boolean>> = {
    groups: (id) => isUnmarked(roots.groups.get(id)),
    blocks: (id) => isUnmarked(roots.blocks.get(id)),
    edges: (key) => roots.edges.has(key),
    variables: (id) => roots.variables.has(id) && roots.variables.get(`${id}/-`) !== true,
  }
  const living = {
    groups: new Set<string>(),
    blocks: new Set<string>(),
    edges: new Set<string>(),
    variables: new Set<string>(),
  }
  const idOf = (of: Counted, key: string) => (of === 'variables' ? (key.split('/', 1)[0] as string) : key)
  const count = (of: Counted, key: string) => {
    const id = idOf(of, key)
    if (isLiving[of](id)) living[of].add(id)
    else living[of].delete(id)
  }
  for (const of of COUNTED) for (const key of roots[of].keys()) count(of, key)
  /** sizes of what is already too large: it may stay, but not grow */
  const sizes = new WeakMap<object, number>()
  const grows = (type: object, size: number, most: number): boolean => {
    if (size <= most) return false
    const before = sizes.get(type) ?? most
    sizes.set(type, size)
    return size > before
  }
  const names = new Map<unknown, keyof typeof roots>(ROOTS.map((name) => [roots[name], name]))
  for (const name of ROOTS) grows(roots[name], roots[name]._map.size, MOST_KEYS[name])
  for (const block of roots.blocks.values()) {
    if (block instanceof Y.Map) grows(block, block._map.size, documentCaps.block)
  }
  for (const text of roots.texts.values()) {
    if (text instanceof Y.XmlText) grows(text, text.length, documentCaps.text)
  }

  let broken: OverCap | null = null
  const look = ({ changed }: Y.Transaction) => {
    broken = null
    const before = COUNTED.map((of) => living[of].size)
    for (const [type, keys] of changed as Map<Y.AbstractType<unknown>, Set<string | null>>) {
      const root = names.get(type)
      if (root) {
        if (isCounted(root)) for (const key of keys) if (key !== null) count(root, key)
        if (grows(type, type._map.size, MOST_KEYS[root])) broken ??= 'deleted'
        continue
      }
      const item = type._item
      const within = names.get(item?.parent)
      if (!item || item.parentSub === null || !within) continue
      if (within === 'groups' || within === 'blocks') {
        count(within, item.parentSub)
        if (grows(type, type._map.size, documentCaps.block)) broken ??= 'block'
      } else if (type instanceof Y.XmlText && grows(type, type.length, documentCaps.text)) broken ??= 'text'
    }
    COUNTED.forEach((of, at) => {
      if (living[of].size > documentCaps[of] && living[of].size > (before[at] as number)) broken ??= of
    })
  }
  doc.on('afterTransaction', look)

  return {
    foresee(update) {
      const fresh = { groups: 0, blocks: 0, edges: 0, variables: 0 }
      const keys = { groups: 0, blocks: 0, edges: 0, variables: 0, texts: 0, languages: 0 }
      let marked = 0
      for (const struct of Y.decodeUpdate(update).structs) {
        if (!(struct instanceof Y.Item)) continue
        if (struct.content instanceof Y.ContentString && struct.length > documentCaps.text) return 'text'
        // as encoded: a name for a root, an id for a child, null if a neighbour determines it
        const parent = struct.parent as unknown
        const { parentSub } = struct
        if (parentSub === null) continue
        if (parentSub === GONE && typeof parent !== 'string') marked += 1
        if (typeof parent !== 'string' || !(parent in keys)) continue
        const root = parent as keyof typeof keys
        if (!roots[root]._map.has(parentSub)) keys[root] += 1
        if (!isCounted(root)) continue
        if (root === 'variables' && parentSub.includes('/')) {
          if (parentSub.endsWith('/-')) fresh.variables -= 1
        } else if (!living[root].has(parentSub)) fresh[root] += 1
      }
      for (const root of ROOTS) {
        if (keys[root] > 0 && roots[root]._map.size + keys[root] > MOST_KEYS[root]) return 'deleted'
      }
      // an update does not say which items are deleted: what is only guessed here is counted after it is applied
      for (const of of COUNTED) {
        const added = fresh[of] - (of === 'groups' || of === 'blocks' ? marked : 0)
        if (added > 0 && living[of].size + added > documentCaps[of]) return of
      }
      return null
    },
    broken: () => broken,
    stop: () => doc.off('afterTransaction', look),
  }
}

const isUnmarked = (value: unknown): boolean => value instanceof Y.Map && value.get(GONE) !== true
