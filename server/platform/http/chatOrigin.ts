import type { FastifyInstance } from 'fastify'
import { readLiveness, readReadiness } from '../../contracts/probes'
import type { Config } from '../config/config'
import { ApiError, apiErrors } from '../errors'

declare module 'fastify' {
  interface FastifyRequest {
    /** the chatbot whose own host the call names (server/modules/domains); null: it names none */
    chatbotHost: { slug: string } | null
  }
}

/** What visitors need: chat pages, their assets and calls, what browsers report of them, and files. */
const VISITORS = /^\/(?:embed\.js$|api\/csp-reports$|(?:c|embed|assets|files|api\/chat|api\/embed)\/)/

/** Requested by load balancers, with any host name. */
const PROBES: readonly string[] = [readLiveness.path, readReadiness.path]

type Addressed = { host?: string | undefined }

/** Whether a call came over the visitors' origin (`CHAT_URL`); false if there is none. */
export function isChatOrigin({ chatUrl }: Pick<Config, 'chatUrl'>, { host }: Addressed): boolean {
  if (!chatUrl || !host) return false
  const chat = new URL(chatUrl)
  const asked = `${chat.protocol}//${host}`
  return URL.canParse(asked) && new URL(asked).host === chat.host
}

/** The origin of chat pages and files. */
export const chatUrlOf = ({ chatUrl, publicUrl }: Pick<Config, 'chatUrl' | 'publicUrl'>): string => chatUrl ?? publicUrl

/**
 * Separates visitors' pages and files from the builder if `CHAT_URL` is set: that origin serves nothing else except the
 * probes, and reads no cookies; the builder's origin redirects chat pages and files there. Call it before anything
 * reads cookies.
 */
export function separateChatOrigin(app: FastifyInstance, config: Config): void {
  // evaluated per call: a test learns its port when it listens
  app.addHook('onRequest', async (request, reply) => {
    if (!config.chatUrl || request.chatbotHost) return
    const path = request.url.split('?', 1)[0] ?? ''
    if (isChatOrigin(config, request)) {
      delete request.headers.cookie
      if (VISITORS.test(path) || PROBES.includes(path)) return
      if (path.startsWith('/api/')) throw new ApiError('not_found')
      return reply.code(404).type('text/plain; charset=utf-8').send(apiErrors.not_found.text)
    }
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (isRead && /^\/(?:c|embed|files)\//.test(path)) return reply.redirect(config.chatUrl + request.url)
  })
}
