import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { shareSlug } from './contracts/chatbots'
import { placeOf } from './contracts/screens'
import type { ServerContext } from './platform/context'
import { ApiError, apiErrors } from './platform/errors'
import { isChatOrigin } from './platform/http/chatOrigin'
import { preloading } from './preloads'
import { sharedPageOf, withHead } from './sharedPageHead'

/** Paths requested by programs, which get a 404 in JSON. */
const FOR_PROGRAMS = /^\/(?:api|assets|collab|embed\.js|files|internal|mcp|healthz|readyz|health|ready|metrics)(?:\/|$)/
/** Replaces an address that can't be decoded: no screen has it. */
const UNREADABLE = '/unreadable'

const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''

/**
 * The address to serve for a requested one. One that can't be decoded would be refused before any page could say so.
 * @param url of the request's first line
 */
export function readableUrl(url: string): string {
  const path = pathOf(url)
  if (FOR_PROGRAMS.test(path)) return url
  // the file server refuses an empty segment, which is an id missing in a link
  return isReadable(path) ? path.replace(/\/(?=\/)/g, '/undefined') + url.slice(path.length) : UNREADABLE
}

/** The result is used on purpose: bundlers remove a call of decodeURI whose result is unused. */
function isReadable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

/**
 * Serves the built interface: hashed files cached for ever, pages never. Any other path is a screen, or gets the page
 * for unknown addresses with status 404; below /c/ it is a chatbot's shared page, which says with status 404 that there
 * is no such chatbot, or none that visitors may see now. Without a build, every such path is a 404 in JSON.
 */
export async function servePages(
  app: FastifyInstance,
  context: Pick<ServerContext, 'db' | 'config' | 'clock'>,
  folder: string,
): Promise<void> {
  const built = existsSync(join(folder, 'index.html'))
  const page = (name: string) => (built ? readFileSync(join(folder, name), 'utf8') : '')
  const [interfacePage, chatPage] = [page('index.html'), page('widget/chat.html')]
  const pageFor = preloading(interfacePage, folder)
  const send = (reply: FastifyReply, html: string): FastifyReply =>
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(html)
  async function sendChat(reply: FastifyReply, slug: string, html: string): Promise<FastifyReply> {
    const { status, head, robots } = await sharedPageOf(context, slug)
    return send(reply.code(status).header('x-robots-tag', robots), withHead(html, { head, robots }))
  }

  if (built) {
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      cacheControl: false,
      // build.mjs writes a .br and a .gz beside each asset
      preCompressed: true,
      setHeaders: (response, path) => {
        const hashed = path.startsWith(join(folder, 'assets/'))
        // the launcher is a module on pages of other sites
        if (hashed) response.header('access-control-allow-origin', '*')
        response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
    app.get('/', async ({ chatbotHost }, reply) => {
      if (!chatbotHost) return send(reply, interfacePage)
      return sendChat(reply, chatbotHost.slug, chatPageOf(chatPage, chatbotHost.slug))
    })
    for (const path of ['/c/:slug', '/c/:slug/'])
      app.get<{ Params: { slug: string } }>(path, async ({ params }, reply) => {
        if (!shareSlug.safeParse(params.slug).success) return reply.callNotFound()
        return sendChat(reply, params.slug, chatPage)
      })
  }
  app.setNotFoundHandler((request, reply): FastifyReply => {
    const path = pathOf(request.url)
    const isPage = built && (request.method === 'GET' || request.method === 'HEAD') && !FOR_PROGRAMS.test(path)
    if (!isPage) throw new ApiError('not_found')
    // visitors see nothing of the builder
    if (request.chatbotHost || isChatOrigin(context.config, request))
      return reply.code(404).type('text/plain; charset=utf-8').send(apiErrors.not_found.text)
    const place = placeOf(path, context.config.billing)
    if (place === 'no-id') return reply.redirect('/')
    return send(place === 'unknown' ? reply.code(404) : reply, pageFor(path))
  })
}

/** The page says whose it is where the address does not. @param slug letters, digits and hyphens */
const chatPageOf = (page: string, slug: string): string =>
  page.replace('<head>', `<head>\n    <meta name="parley-chatbot" content="${slug}" />`)
