import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { shareSlug } from './contracts/chatbots'
import { placeOf } from './contracts/screens'
import { findPublished } from './modules/conversations/chat/findPublished'
import type { ServerContext } from './platform/context'
import { ApiError, apiErrors, toApiError } from './platform/errors'
import { isChatOrigin } from './platform/http/chatOrigin'
import { preloading } from './preloads'

/** What programs call: they are told in JSON what isn't there. */
const FOR_PROGRAMS = /^\/(?:api|assets|collab|files|mcp|healthz|readyz|health|ready|metrics)(?:\/|$)/
/** In the place of an address that can't be decoded: no screen has it. */
const UNREADABLE = '/unreadable'

const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''

/**
 * The address that is served for the one that was asked for. One that can't be decoded would be refused before any page could say so.
 * @param url of the request's first line
 */
export function readableUrl(url: string): string {
  const path = pathOf(url)
  if (FOR_PROGRAMS.test(path)) return url
  // the file server refuses a name that is empty: it is an id that a link had none of
  return isReadable(path) ? path.replace(/\/(?=\/)/g, '/undefined') + url.slice(path.length) : UNREADABLE
}

/** What comes of the decoding is looked at: bundlers take a call of it that nothing comes of for one that does nothing, and leave it out. */
function isReadable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

/**
 * Serves the built interface: hashed files for ever, pages anew each time. A path that is no file is one of the interface's own
 * screens, or gets its page for unknown addresses with status 404; below /c/ it is a chatbot's shared page, which says with
 * status 404 that there is no such chatbot, or none that is published. Without a build, every such path is a 404 in JSON.
 */
export async function servePages(
  app: FastifyInstance,
  context: Pick<ServerContext, 'db' | 'config'>,
  folder: string,
): Promise<void> {
  const built = existsSync(join(folder, 'index.html'))
  const page = (name: string) => (built ? readFileSync(join(folder, name), 'utf8') : '')
  const [interfacePage, chatPage] = [page('index.html'), page('widget/chat.html')]
  const pageFor = preloading(interfacePage, folder)
  const send = (reply: FastifyReply, html: string): FastifyReply =>
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(html)

  if (built) {
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      cacheControl: false,
      // build.mjs puts a .br and a .gz beside each asset
      preCompressed: true,
      setHeaders: (response, path) => {
        const hashed = path.startsWith(join(folder, 'assets/'))
        response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
    app.get('/', (_, reply) => send(reply, interfacePage))
    for (const path of ['/c/:slug', '/c/:slug/'])
      app.get<{ Params: { slug: string } }>(path, async ({ params }, reply) => {
        if (!shareSlug.safeParse(params.slug).success) return reply.callNotFound()
        return send((await isPublished(context, params.slug)) ? reply : reply.code(404), chatPage)
      })
  }
  app.setNotFoundHandler((request, reply): FastifyReply => {
    const path = pathOf(request.url)
    const isPage = built && (request.method === 'GET' || request.method === 'HEAD') && !FOR_PROGRAMS.test(path)
    if (!isPage) throw new ApiError('not_found')
    // visitors are shown nothing of the builder
    if (isChatOrigin(context.config, request))
      return reply.code(404).type('text/plain; charset=utf-8').send(apiErrors.not_found.text)
    const place = placeOf(path)
    if (place === 'no-id') return reply.redirect('/')
    return send(place === 'unknown' ? reply.code(404) : reply, pageFor(path))
  })
}

/** False only where that is sure: while the database can't be asked, the page comes and asks again by itself. */
async function isPublished(context: Pick<ServerContext, 'db'>, slug: string): Promise<boolean> {
  try {
    await findPublished(context, slug)
    return true
  } catch (error) {
    return toApiError(error).status >= 500
  }
}
