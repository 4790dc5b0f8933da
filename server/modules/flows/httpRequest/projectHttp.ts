import type { ServerContext } from '../../../platform/context'
import type { EffectHandler } from '../../../platform/effects/handleEffect'
import { createOutboundFetch } from '../../../platform/outbound/outboundFetch'
import { networksOf } from '../../../platform/outbound/projectNetworks'
import { createProjectSecrets } from '../../secrets/projectSecrets'
import { createHttpHandler } from './httpHandler'

/** Handles `http` with the secrets and networks of the call's project. */
export function createProjectHttp(context: ServerContext): EffectHandler {
  const secrets = createProjectSecrets(context)
  return createHttpHandler(createOutboundFetch({ allowed: context.config.outboundAllow }), context.clock, {
    secretsOf: (names, { project }) => secrets.valuesOf(project.id, names),
    networksOf: ({ project }) => networksOf(context, project.id),
  })
}
