import { EngineError } from '../../../../engine/errors'
import { parseFlow } from '../../../../engine/flow/parseFlow'
import type { Registry } from '../../../../engine/flow/registry'
import type { ChatbotFlows, Flow } from '../../../../engine/flow/schema'

/** As flows are frozen: the same draft then is the same version. */
export const inPresentForm = ({ main, others }: ChatbotFlows, registry: Registry): ChatbotFlows => ({
  main: atPresentKinds(main, registry),
  others: others.map(({ flow, ...other }) => ({ ...other, flow: atPresentKinds(flow, registry) })),
})

/** With every block at the present version of its kind: else another form of the same would look like a change. What can't be read stays. */
function atPresentKinds(flow: Flow, registry: Registry): Flow {
  try {
    return parseFlow(flow, registry)
  } catch (error) {
    if (error instanceof EngineError) return flow
    throw error
  }
}
