import { createAiServices } from './modules/agents/services'
import { createContactService } from './modules/contacts/service'
import { createHttpService, type NetworkSource, type SecretSource } from './modules/flows/httpRequest/service'
import { createHandOffService } from './modules/handOff/service'
import { createMailer } from './modules/mails/createMailer'
import { createMailService } from './modules/mails/service'
import { createProjectSecrets } from './modules/secrets/projectSecrets'
import type { ServerContext } from './platform/context'
import { conversationOfCall } from './platform/effects/callKey'
import type { Service } from './platform/effects/service'
import { createOutsideFetch } from './platform/outbound/outsideFetch'
import { networksOf } from './platform/outbound/projectNetworks'

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
