import { fieldsOf, listOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter } from '../../engine/interop/importer'
import { mapCondition } from '../../engine/interop/typebot/comparisons'
import { counts } from '../../engine/values/caps'

/** A condition: items become branches; the block's own edge is `else`. */
export const conditionFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['Condition'],
  map(block, context) {
    const items = listOf(block.items).map(fieldsOf)
    if (items.length > counts.branches)
      context.note(`Only the first ${counts.branches} of ${items.length} branches are kept.`)
    const pairs = items
      .slice(0, counts.branches)
      .map((item) => ({ item, branch: { id: context.id(), ...mapCondition(item.content, context) } }))
    const ports = pairs.map(({ item, branch }) => [textOf(item.id), branch.id])
    return {
      data: { branches: pairs.map(({ branch }) => branch) },
      ports: { ...Object.fromEntries(ports), default: 'else' },
    }
  },
}
