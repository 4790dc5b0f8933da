import type { Registry } from '../flow/registry'
import type { BlockView, Projection } from './commands'

/** A block that reads a variable, sets it, or both. */
export interface VariableUse {
  readonly blockId: string
  readonly groupId: string
  readonly sets: boolean
}

/** Uses per block, cached while the projection keeps the block: an edit costs one block. */
const remembered = new WeakMap<BlockView, { reads: readonly string[]; writes: readonly string[] }>()

/** Where each variable is used, by its id, in the order of groups and their blocks. */
export function variableUses(
  { groups, blocks }: Pick<Projection, 'groups' | 'blocks'>,
  registry: Registry,
): Map<string, VariableUse[]> {
  const uses = new Map<string, VariableUse[]>()
  for (const group of groups.values()) {
    for (const blockId of group.blockIds) {
      const block = blocks.get(blockId)
      if (!block) continue
      const { reads, writes } = usedBy(block, registry)
      for (const variableId of new Set([...reads, ...writes])) {
        const use = { blockId, groupId: group.id, sets: writes.includes(variableId) }
        const present = uses.get(variableId)
        if (present) present.push(use)
        else uses.set(variableId, [use])
      }
    }
  }
  return uses
}

function usedBy(block: BlockView, registry: Registry) {
  const known = remembered.get(block)
  if (known) return known
  const used = readUses(block, registry)
  remembered.set(block, used)
  return used
}

/** Data that the kind can't process (of another version) names nothing. */
function readUses({ kind, data }: BlockView, registry: Registry) {
  try {
    const definition = registry.find(kind)
    return { reads: definition?.reads(data) ?? [], writes: definition?.writes(data) ?? [] }
  } catch {
    return { reads: [], writes: [] }
  }
}
