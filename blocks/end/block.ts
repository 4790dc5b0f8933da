import { defineBlock } from '../../engine/flow/defineBlock'
import { endConversation } from '../../engine/flow/steps'
import { endFromDify, endFromFlowise } from './fromNodes'
import { endDefaults, endSchema } from './schema'

/** Closes the conversation. */
export const end = defineBlock({
  kind: 'end',
  category: 'logic',
  title: 'End',
  help: 'Ends the conversation.',
  schema: endSchema,
  defaults: endDefaults,
  importers: [endFromDify, endFromFlowise],
  ports: () => [],
  *run() {
    return yield* endConversation()
  },
})
