import { createAiServices } from './ai/services'
import { createContactService } from './contacts/service'
import type { ServerContext } from './context'
import { createHandOffService } from './handOff/service'
import { conversationOfCall } from './host/callKey'
import type { Service } from './host/service'
import { createMailer } from './mail/createMailer'
import { createMailService } from './mail/service'
import { createHttpService, type NetworkSource, type SecretSource } from './outside/httpService'
import { createOutsideFetch } from './outside/outsideFetch'
import { networksOf } from './outside/projectNetworks'
import { createProjectSecrets } from './secrets/projectSecrets'

/** What blocks may call outside, by name. */
export function createServices(context: ServerContext): Readonly<Record<string, Service>> {
  const send = createMailer(context)
  const fetchOutside = createOutsideFetch({ allowed: context.config.outboundAllow })
  return {
    http: createHttpService(fetchOutside, context.clock, secretSource(context), networkSource(context)),
    mail: createMailService(context, send),
    contacts: createContactService(context),
    ...createAiServices(context),
    'hand-off': createHandOffService(context, send),
  }
}

/** The networks that the project whose conversation a call belongs to has opened. */
function networkSource(context: ServerContext): NetworkSource {
  return async (key) => {
    const conversation = await conversationOfCall(context.db, key)
    return conversation ? networksOf(context, conversation.project_id) : []
  }
}

/** The secrets of the project whose conversation a call belongs to. */
function secretSource(context: ServerContext): SecretSource {
  const secrets = createProjectSecrets(context)
  return async (names, key) => {
    const conversation = await conversationOfCall(context.db, key)
    return conversation ? secrets.valuesOf(conversation.project_id, names) : new Map()
  }
}
