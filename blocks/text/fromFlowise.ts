import type { NodeImporter } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'

/** A direct reply, and the message of a loop that has reached its limit. */
export const textFromFlowise: NodeImporter = {
  product: 'flowise',
  types: ['directReplyAgentflow', 'loop over'],
  map(block, context) {
    noteOthers(block, ['id', 'type', 'text'], context)
    return { data: { content: context.richText(block.text) }, ports: { default: 'next' } }
  },
}
