import * as Y from 'yjs'
import { migrateBlock } from '../flow/migrate'
import type { Registry } from '../flow/registry'
import type { Block } from '../flow/schema'
import type { Json } from '../values/json'
import { type Leaves, readData } from './blockData'
import { putText, setKey, writeData } from './editFlow'
import { readText } from './richText'
import { blockOfKey, readTextType, rootsOf } from './shape'

/**
 * Migrates every block of a stored document to the present version of its kind, in one transaction; call it before
 * anybody sees the document. Deleted blocks are included, since undo restores them. Blocks that can't be migrated stay
 * as they are: a newer version, an unknown kind, data on which a migration throws. The same document gives the same
 * change, and a second call changes nothing.
 * @returns how many blocks were changed
 */
export function migrateDocument(doc: Y.Doc, registry: Registry): number {
  const roots = rootsOf(doc)
  const texts = new Map<string, string[]>()
  let changed = 0
  doc.transact(() => {
    for (const [id, map] of [...roots.blocks.entries()].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const definition = map instanceof Y.Map ? registry.find(String(map.get('kind'))) : undefined
      if (!(map instanceof Y.Map) || !definition) continue
      const version = map.get('version')
      if (typeof version !== 'number' || version < 0 || version >= definition.migrations.length) continue
      if (texts.size === 0) for (const key of roots.texts.keys()) addTo(texts, blockOfKey(key), key)
      const data = readData(map as unknown as Leaves)
      for (const key of texts.get(id) ?? []) {
        const field = key.slice(id.length + 1)
        const text = readTextType(roots, id, field)
        if (text) data[field] = readText(text) as unknown as Json
      }
      const migrated = attempt({ id, kind: definition.kind, version: Math.trunc(version), data }, registry)
      if (!migrated) continue
      writeData(map, migrated.data, definition.richTexts)
      for (const field of definition.richTexts) putText(roots, id, field, migrated.data[field])
      setKey(map, 'version', migrated.version)
      changed += 1
    }
  })
  return changed
}

function attempt(block: Block, registry: Registry): Block | null {
  try {
    return migrateBlock(block, registry.get(block.kind))
  } catch {
    return null
  }
}

function addTo(index: Map<string, string[]>, key: string, member: string): void {
  const members = index.get(key)
  if (members) members.push(member)
  else index.set(key, [member])
}
