import type { FastifyInstance, FastifyRequest } from 'fastify'
import { registerRoute } from '../../../access/register'
import { embedConfig } from '../../../contracts/embed'
import { mayEmbed } from '../../../contracts/web/domains'
import { drawnLauncher } from '../../../contracts/web/launcher'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { availabilityOf } from '../../web/availability'
import { createEmbedNote } from '../../web/noteEmbedded'
import type { Runtime } from '../runtime/createRuntime'
import { findPublished, notAvailable } from './findPublished'
import { createFrameTokens } from './frameToken'
import { acceptedLanguages, launcherWords } from './launcherWords'

/** Said to pages that may not hold the chatbot, and to frames of theirs. */
export const NOT_HERE = 'This chatbot may not be shown on this site.'

type Published = Awaited<ReturnType<typeof findPublished>>

/**
 * What pages of other sites ask of a chatbot. The browser says whose page it is (`Origin`), and keeps the answer from
 * pages that are not named in it (CORS).
 */
export function registerEmbed(app: FastifyInstance, context: ServerContext, runtime: Runtime): void {
  const tokens = createFrameTokens(context)
  const noteEmbedded = createEmbedNote(context)

  registerRoute(app, context, embedConfig, async ({ params, query, request, reply }) => {
    // a page that may not read the answer learns by its being there that it was refused
    reply.headers({ vary: 'origin', 'cross-origin-resource-policy': 'cross-origin' })
    // what is not there may be told to anybody
    const found = await findPublished(context, `@${params.egid}`).catch((error: unknown) => {
      reply.header('access-control-allow-origin', '*')
      throw error
    })
    const { web, name, egid, projectId } = found
    if (availabilityOf(web.visibility, context.clock()).state === 'hidden') throw notAvailable()
    const origin = originOf(request)
    if (origin !== OWN && !mayEmbed(web.embed.whitelisted_domains, origin))
      throw new ApiError('forbidden', { message: NOT_HERE })
    if (origin !== OWN) {
      reply.header('access-control-allow-origin', origin)
      await noteEmbedded(projectId)
    }
    const { hide_urls, excluded_class, excluded_id, consent, data_layer } = web.embed
    const { interface_language, texts } = web.language
    const languages =
      interface_language === 'auto' ? acceptedLanguages(request.headers['accept-language']) : [interface_language]
    return {
      name: web.look.brand.name || name,
      words: launcherWords(languages, texts),
      launcher: drawnLauncher(web.look),
      settings: { hide_urls, excluded_class, excluded_id, consent, data_layer },
      ...(await runtime.foreseePage(found, query.url)),
      token: tokens.make({ projectId, egid }, origin),
    }
  })
}

/** A page of this server's own: an editor's, or a chat that fills its window. */
const OWN = 'own'

/** Whose page asks. Browsers leave `Origin` out of what a page asks of its own server. */
function originOf({ headers }: FastifyRequest): string {
  if (headers.origin !== undefined) return headers.origin
  return headers['sec-fetch-site'] === 'same-origin' ? OWN : 'null'
}

/** Makes what refuses conversations from pages that may not hold the chatbot. Throws forbidden. */
export function createFrameCheck(context: Pick<ServerContext, 'config' | 'clock'>) {
  const tokens = createFrameTokens(context)
  return ({ web, environment, projectId, egid }: Published, token: string | undefined): void => {
    const domains = web.embed.whitelisted_domains
    if (environment !== 'production' || domains.length === 0) return
    const origin = token === undefined ? null : tokens.originOf({ projectId, egid }, token)
    // the list may have changed since
    if (origin !== OWN && (origin === null || !mayEmbed(domains, origin)))
      throw new ApiError('forbidden', { message: NOT_HERE })
  }
}
