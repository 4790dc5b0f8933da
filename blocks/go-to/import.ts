import { fieldsOf } from '../../engine/interop/fields'
import type { BlockImporter } from '../../engine/interop/importer'
import { goToDefaults } from './schema'

/**
 * A jump to a group or a block in it; a link to this bot, which returns at its end; a return; a link to another bot,
 * whose flow is not in the file.
 */
export const goToFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['Jump', 'Typebot link', 'Return'],
  map(block, context) {
    const options = fieldsOf(block.options)
    if (block.type === 'Return') {
      context.remark(
        'A return goes back to the innermost jump that led to it: there only the last jump was remembered.',
      )
      return { data: { ...goToDefaults(), to: 'back' }, ports: { default: 'next' } }
    }
    const isLink = block.type === 'Typebot link'
    if (isLink && options.typebotId !== 'current') {
      context.note('It leads to another bot, which this file does not hold: import that one, and choose its flow.')
      return { data: { ...goToDefaults(), to: 'flow' }, ports: { default: 'returned' } }
    }
    const target = context.target(options.groupId, options.blockId)
    if (!target) {
      context.note('It jumps to nowhere: choose a group.')
      return { data: goToDefaults(), ports: { default: 'next' } }
    }
    if (options.blockId && !target.blockId) context.note('The block that it jumped to is gone: it jumps to its group.')
    const comesBack = isLink || context.returns(options.groupId, options.blockId)
    if (comesBack && !isLink)
      context.note(
        'It comes back by a return, and here too where nothing follows: put an End block where it should end.',
      )
    return { data: { ...goToDefaults(), target, comesBack }, ports: comesBack ? { default: 'returned' } : {} }
  },
}
