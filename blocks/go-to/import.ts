import type { BlockImporter } from '../../engine/interop/importer'
import { fieldsOf } from '../../engine/interop/typebot/fields'
import type { GoToData } from './schema'

/** A jump to a group or to a block in it. */
export const goToFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['Jump'],
  map(block, context) {
    const options = fieldsOf(block.options)
    const target = context.target(options.groupId, options.blockId)
    if (!target) context.note('It jumps to nowhere: choose a group.')
    else if (options.blockId && !target.blockId)
      context.note('The block that it jumped to is gone: it jumps to its group.')
    const data: GoToData = { target }
    return { data, ports: target ? {} : { default: 'next' } }
  },
}
