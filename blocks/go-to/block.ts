import { defineBlock } from '../../engine/flow/defineBlock'
import { goTo } from '../../engine/flow/steps'
import { goToFromTypebot } from './import'
import { goToDefaults, goToSchema } from './schema'

/** Goes on elsewhere without an edge. Without a target, or when it is gone, the conversation goes on after this block. */
export const goToBlock = defineBlock({
  kind: 'go-to',
  category: 'logic',
  title: 'Go to',
  help: 'Goes on at another group.',
  schema: goToSchema,
  defaults: goToDefaults,
  ports: (data) => (data.target ? [] : [{ id: 'next' }]),
  jumps: (data) => (data.target ? [data.target] : []),
  importers: [goToFromTypebot],
  *run(data) {
    if (data.target) yield* goTo(data.target)
    return 'next'
  },
})
