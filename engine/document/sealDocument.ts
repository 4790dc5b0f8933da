import * as Y from 'yjs'
import type { SaveSecret } from '../flow/defineBlock'
import type { Registry } from '../flow/registry'
import { sealBlock } from '../flow/sealFlow'
import type { Json } from '../values/json'
import { diffData, type Leaves, marksGone, readData } from './blockData'
import { rootsOf } from './shape'

/**
 * Replaces what looks like a secret in plain text in every block of a document, in one transaction; also in deleted
 * blocks and items, since undo restores them. The old text remains in the document's bytes until it is stored anew.
 * @returns how many blocks were changed
 */
export function sealDocument(doc: Y.Doc, registry: Registry, save: SaveSecret): number {
  let changed = 0
  doc.transact(() => {
    for (const map of rootsOf(doc).blocks.values()) {
      const definition = map instanceof Y.Map ? registry.find(String(map.get('kind'))) : undefined
      if (!(map instanceof Y.Map) || !definition) continue
      const leaves = withDeletedItems(map)
      const data = readData(leaves)
      const sealed = sealBlock({ kind: definition.kind, data }, registry, save)
      if (sealed === data) continue
      for (const [key, value] of diffData(leaves, sealed, definition.richTexts))
        if (value !== undefined) map.set(key, value)
      changed++
    }
  })
  return changed
}

/** A block's leaves as if no item had been deleted. */
function withDeletedItems(map: Y.Map<unknown>): Leaves {
  return {
    get: (key) => map.get(key) as Json | undefined,
    keys: () => Array.from(map.keys()).filter((key) => !marksGone(key)),
  }
}
