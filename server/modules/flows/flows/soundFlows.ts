import { EngineError } from '../../../../engine/errors'
import { parseFlow } from '../../../../engine/flow/parseFlow'
import type { Registry } from '../../../../engine/flow/registry'
import type { ChatbotFlows } from '../../../../engine/flow/schema'
import { ApiError } from '../../../platform/errors'

/**
 * All flows as they are run: every one sound, in its canonical form.
 * @throws ApiError invalid, naming the flow
 */
export function soundFlows({ main, others }: ChatbotFlows, registry: Registry): ChatbotFlows {
  const sound = (flow: ChatbotFlows['main'], title?: string) => {
    try {
      return parseFlow(flow, registry)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      const message = title === undefined ? error.message : `The flow “${title}”: ${error.message}`
      throw new ApiError('invalid', { message, fields: { flow: message }, cause: error })
    }
  }
  return {
    main: sound(main),
    others: others.map(({ flow, ...other }) => ({ ...other, flow: sound(flow, other.title) })),
  }
}
