import { EngineError } from '../../../../engine/errors'
import { parseFlow } from '../../../../engine/flow/parseFlow'
import type { Registry } from '../../../../engine/flow/registry'
import type { ChatbotFlows, Flow } from '../../../../engine/flow/schema'

/** A chatbot's flows in the form in which versions are stored, so that the same draft gives the same version. */
export const inPresentForm = ({ main, others }: ChatbotFlows, registry: Registry): ChatbotFlows => ({
  main: atPresentKinds(main, registry),
  others: others.map(({ flow, ...other }) => ({ ...other, flow: atPresentKinds(flow, registry) })),
})

/**
 * Upgrades every block to the current version of its kind; otherwise an older form of the same block would look like a
 * change. Blocks that can't be parsed stay as they are.
 */
function atPresentKinds(flow: Flow, registry: Registry): Flow {
  try {
    return parseFlow(flow, registry)
  } catch (error) {
    if (error instanceof EngineError) return flow
    throw error
  }
}
