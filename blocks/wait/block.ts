import { defineBlock } from '../../engine/flow/defineBlock'
import { read, wait } from '../../engine/flow/steps'
import { LONGEST_WAIT } from '../../engine/values/caps'
import { valueAsNumber } from '../../engine/values/number'
import { variableValue } from '../../engine/values/render'
import { waitFromTypebot } from './import'
import { units, waitDefaults, waitSchema } from './schema'

/** Waits for whole seconds; a variable without a positive number waits not at all, a too large one 30 days. */
export const waitBlock = defineBlock({
  kind: 'wait',
  category: 'logic',
  title: 'Wait',
  help: 'Waits before the conversation continues.',
  schema: waitSchema,
  defaults: waitDefaults,
  ports: () => [{ id: 'next' }],
  reads: ({ variableId }) => (variableId === null ? [] : [variableId]),
  waits: () => true,
  importers: [waitFromTypebot],
  *run({ amount, unit, variableId }) {
    const chosen = variableId === null ? amount : valueAsNumber(variableValue(yield* read(), variableId))
    const seconds = Math.min(Math.ceil((chosen ?? 0) * units[unit]), LONGEST_WAIT)
    if (seconds > 0) yield* wait(seconds)
    return 'next'
  },
})
