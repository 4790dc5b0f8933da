import { fieldsOf, stringOf } from '../fields'
import type { TypebotBlock, TypebotFile } from './readTypebot'

/** Whether a jump to that group, or to a block in it, may reach a block that returns before the conversation ends. */
export type Returns = (groupId: string | undefined, blockId: string | undefined) => boolean

/** Follows a file's edges, jumps and links from block to block. A file without returning blocks is not searched. */
export function createReturns(file: TypebotFile): Returns {
  const all = file.groups.flatMap((group) => group.blocks.map((block, at) => ({ block, below: group.blocks[at + 1] })))
  if (!all.some(({ block }) => block.type === RETURN)) return () => false
  const byId = new Map(all.toReversed().map(({ block }) => [block.id, block]))
  const firsts = new Map(file.groups.toReversed().map((group) => [group.id, group.blocks[0]]))
  const below = new Map(all.map((place) => [place.block, place.below]))
  const at = (groupId: string | undefined, blockId: string | undefined): TypebotBlock | undefined =>
    (blockId === undefined ? undefined : byId.get(blockId)) ?? (groupId === undefined ? undefined : firsts.get(groupId))

  function next(block: TypebotBlock): (TypebotBlock | undefined)[] {
    const edges = [block.outgoingEdgeId, ...block.items.map(({ outgoingEdgeId }) => outgoingEdgeId)]
    const led = edges.map((id) => {
      const to = id === undefined ? undefined : file.edges.get(id)?.to
      return to && at(to.groupId, to.blockId)
    })
    const { groupId, blockId } = fieldsOf(block.fields.options)
    const jumped = JUMPS.has(block.type) ? [at(stringOf(groupId), stringOf(blockId))] : []
    return [...led, ...jumped, below.get(block)]
  }

  return (groupId, blockId) => {
    const seen = new Set<TypebotBlock>()
    const queue = [at(groupId, blockId)]
    for (let block = queue.pop(); queue.length > 0 || block; block = queue.pop()) {
      if (!block || seen.has(block)) continue
      if (block.type === RETURN) return true
      seen.add(block)
      queue.push(...next(block))
    }
    return false
  }
}

const RETURN = 'Return'
const JUMPS = new Set(['Jump', 'Typebot link'])
