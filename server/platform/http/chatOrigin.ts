import type { FastifyInstance } from 'fastify'
import { readLiveness, readReadiness } from '../../contracts/probes'
import type { Config } from '../config/config'
import { ApiError, apiErrors } from '../errors'

/** What visitors are served: chat pages, what they load and call, and files. */
const VISITORS = /^\/(?:c|assets|files|api\/chat)\//

/** Asked by load balancers, which name any host. */
const PROBES: readonly string[] = [readLiveness.path, readReadiness.path]

type Addressed = { host?: string | undefined }

/** Whether a call came by the visitors' own origin (`CHAT_URL`); never without one. */
export function isChatOrigin({ chatUrl }: Pick<Config, 'chatUrl'>, { host }: Addressed): boolean {
  if (!chatUrl || !host) return false
  const chat = new URL(chatUrl)
  const asked = `${chat.protocol}//${host}`
  return URL.canParse(asked) && new URL(asked).host === chat.host
}

/** Where visitors reach chat pages and files. */
export const chatUrlOf = ({ chatUrl, publicUrl }: Pick<Config, 'chatUrl' | 'publicUrl'>): string => chatUrl ?? publicUrl

/**
 * Keeps visitors' pages and files apart from the builder, where `CHAT_URL` gives them an origin: there, nothing else but the probes is
 * served and no cookie is read; the builder's origin sends chat pages and files there. To be called before whatever reads cookies.
 */
export function separateChatOrigin(app: FastifyInstance, config: Config): void {
  // asked at each call: a test learns its port when it listens
  app.addHook('onRequest', async (request, reply) => {
    if (!config.chatUrl) return
    const path = request.url.split('?', 1)[0] ?? ''
    if (isChatOrigin(config, request)) {
      delete request.headers.cookie
      if (VISITORS.test(path) || PROBES.includes(path)) return
      if (path.startsWith('/api/')) throw new ApiError('not_found')
      return reply.code(404).type('text/plain; charset=utf-8').send(apiErrors.not_found.text)
    }
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (isRead && /^\/(?:c|files)\//.test(path)) return reply.redirect(config.chatUrl + request.url)
  })
}
