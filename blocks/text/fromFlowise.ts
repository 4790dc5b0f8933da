import type { NodeImporter } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'

/** A direct reply, and what a loop says when it has gone round as often as it may. */
export const textFromFlowise: NodeImporter = {
  product: 'flowise',
  types: ['directReplyAgentflow', 'loop over'],
  map(block, context) {
    noteOthers(block, ['id', 'type', 'text'], context)
    return { data: { content: context.richText(block.text) }, ports: { default: 'next' } }
  },
}
