import { createAiServices } from './ai/services'
import { createContactService } from './contacts/service'
import type { ServerContext } from './context'
import { createHandOffService } from './handOff/service'
import type { Service } from './host/service'
import { createMailer } from './mail/createMailer'
import { createMailService } from './mail/service'
import { createHttpService } from './outside/httpService'
import { createOutsideFetch } from './outside/outsideFetch'

/** What blocks may call outside, by name. */
export function createServices(context: ServerContext): Readonly<Record<string, Service>> {
  const send = createMailer(context)
  const fetchOutside = createOutsideFetch({ allowed: context.config.outboundAllow })
  return {
    http: createHttpService(fetchOutside, context.clock),
    mail: createMailService(context, send),
    contacts: createContactService(context),
    ...createAiServices(context),
    'hand-off': createHandOffService(context, send),
  }
}
