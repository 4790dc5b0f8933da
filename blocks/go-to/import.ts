import type { BlockImporter } from '../../engine/interop/importer'
import { fieldsOf } from '../../engine/interop/typebot/fields'
import { goToDefaults } from './schema'

/** A jump to a group or to a block in it; a link to another bot, whose flow is not in the file. */
export const goToFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['Jump', 'Typebot link'],
  map(block, context) {
    const options = fieldsOf(block.options)
    if (block.type === 'Typebot link' && options.typebotId !== 'current') {
      context.note('It leads to another bot, which this file does not hold: import that one, and choose its flow.')
      return { data: { ...goToDefaults(), to: 'flow' }, ports: { default: 'returned' } }
    }
    const target = context.target(options.groupId, options.blockId)
    if (!target) context.note('It jumps to nowhere: choose a group.')
    else if (options.blockId && !target.blockId)
      context.note('The block that it jumped to is gone: it jumps to its group.')
    return { data: { ...goToDefaults(), target }, ports: target ? {} : { default: 'next' } }
  },
}
