import type { ServerContext } from '../../../platform/context'
import { conversationOfCall } from '../../../platform/effects/callKey'
import { createOutsideFetch } from '../../../platform/outbound/outsideFetch'
import { networksOf } from '../../../platform/outbound/projectNetworks'
import { createProjectSecrets } from '../../secrets/projectSecrets'
import { createHttpService, type NetworkSource, type SecretSource } from './service'

/** The service `http`, with the secrets and networks of the project whose conversation a call belongs to. */
export function createProjectHttpService(context: ServerContext) {
  const fetchOutside = createOutsideFetch({ allowed: context.config.outboundAllow })
  return createHttpService(fetchOutside, context.clock, secretSource(context), networkSource(context))
}

function networkSource(context: ServerContext): NetworkSource {
  return async (key) => {
    const conversation = await conversationOfCall(context, key)
    return conversation ? networksOf(context, conversation.project_id) : []
  }
}

function secretSource(context: ServerContext): SecretSource {
  const secrets = createProjectSecrets(context)
  return async (names, key) => {
    const conversation = await conversationOfCall(context, key)
    return conversation ? secrets.valuesOf(conversation.project_id, names) : new Map()
  }
}
