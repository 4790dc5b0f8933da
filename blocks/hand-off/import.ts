import { fieldsOf } from '../../engine/interop/fields'
import type { BlockImporter } from '../../engine/interop/importer'
import { handOffDefaults } from './schema'

/** A live chat of another product takes the conversation over: here the team does. */
export const handOffFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['Chatwoot'],
  map(block, context) {
    const { user } = fieldsOf(block.options)
    context.note(
      'It opened a chat of Chatwoot: here the conversation is handed over to the team, which answers in the inbox.',
    )
    if (user) context.note('What it said of the visitor is what a contact block saves here.')
    return { data: handOffDefaults(), ports: { default: 'handed-over' } }
  },
}
