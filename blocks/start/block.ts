import { defineBlock } from '../../engine/flow/defineBlock'
import { startFromDify, startFromFlowise } from './fromNodes'
import { startFromTypebot } from './import'
import { startDefaults, startSchema } from './schema'

/** Starts new conversations. */
export const start = defineBlock({
  kind: 'start',
  category: 'trigger',
  title: 'Start',
  help: 'Starts the conversation.',
  schema: startSchema,
  defaults: startDefaults,
  ports: () => [{ id: 'next' }],
  startsOn: (_data, event) => event.type === 'start',
  importers: [startFromTypebot, startFromDify, startFromFlowise],
  *run() {
    return 'next'
  },
})
