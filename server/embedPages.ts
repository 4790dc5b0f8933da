import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FirstView, GivenPage } from './contracts/firstView'
import { frameAncestors } from './contracts/web/domains'
import { createFrameDocument } from './frameDocument'
import { chatPageOf } from './modules/conversations/chat/chatPageOf'
import { findPublished } from './modules/conversations/chat/findPublished'
import { acceptedLanguages } from './modules/conversations/chat/launcherWords'
import { conversations } from './modules/conversations/module'
import type { ServerContext } from './platform/context'
import { toApiError } from './platform/errors'
import { callerAddress } from './platform/http/callerAddress'

const HOUR = 60 * 60

/** What a frame's address may say: with `begin`, its page comes with a conversation (frameBegin.ts). */
interface Asked {
  /** the token of the page that holds the frame */
  begin?: unknown
  url?: unknown
  /** the words of the button that closes the chat */
  close?: unknown
}

/**
 * Serves what pages of other sites load: `/embed.js`, which stays at its address and names the launcher by its hash,
 * and the chat in a frame, `/embed/@<external id>`, which browsers show within the pages of the allowed domains alone.
 * Nothing without a build.
 */
export async function serveEmbed(
  app: FastifyInstance,
  context: Pick<ServerContext, 'db' | 'config' | 'clock'>,
  folder: string,
): Promise<void> {
  const [script, page] = [join(folder, 'embed.js'), join(folder, 'widget/chat.html')]
  if (!existsSync(script) || !existsSync(page)) return
  const [loader, html] = [readFileSync(script), readFileSync(page, 'utf8')]
  const packed = gzipSync(loader, { level: 9 })
  const firstView = await loadFirstView(folder)
  const frame = createFrameDocument(html, folder)

  app.get('/embed.js', (request, reply) => {
    const isPacked = takesGzip(request)
    return reply
      .headers({
        // a new version reaches pages within the hour, and nobody waits for it
        'cache-control': `public, max-age=${HOUR}, stale-while-revalidate=${24 * HOUR}`,
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
        vary: 'accept-encoding',
        ...(isPacked && { 'content-encoding': 'gzip' }),
      })
      .type('text/javascript; charset=utf-8')
      .send(isPacked ? packed : loader)
  })

  app.get<{ Params: { name: string }; Querystring: Asked }>('/embed/:name', async (request, reply) => {
    const { status, domains, given } = await shownTo(request)
    const policy = String(reply.getHeader('content-security-policy') ?? '')
    const { text, scripts } = given && firstView ? frame.withGiven(given, firstView, request.query.close) : frame.plain
    reply.removeHeader('x-frame-options')
    const isPacked = takesGzip(request)
    return reply
      .code(status)
      .headers({
        'content-security-policy': policy
          .replace(/frame-ancestors[^;]*/, `frame-ancestors ${frameAncestors(domains)}`)
          .replace(/script-src [^;]*/, (sources) => [sources, ...scripts].join(' ')),
        'cross-origin-resource-policy': 'cross-origin',
        // with a conversation in it, it is one visitor's, who may not have agreed that anything is stored
        'cache-control': given?.begun ? 'no-store' : 'no-cache',
        'x-robots-tag': 'noindex',
        vary: 'accept-encoding, accept-language',
        ...(isPacked && { 'content-encoding': 'gzip' }),
      })
      .type('text/html; charset=utf-8')
      .send(isPacked ? await promisify(gzip)(text) : text)
  })

  /** Which sites may hold it: any, where there is nothing to be shown but that there is nothing. */
  async function shownTo(
    request: FastifyRequest<{ Params: { name: string }; Querystring: Asked }>,
  ): Promise<{ status: number; domains: readonly string[]; given: GivenPage | null }> {
    const { name } = request.params
    if (!name.startsWith('@')) return { status: 404, domains: [], given: null }
    try {
      const found = await findPublished(context, name)
      const domains = found.web.embed.whitelisted_domains
      return { status: 200, domains, given: await givenOf(found, name, request).catch(() => null) }
    } catch (error) {
      // while the database can't be asked, the page comes and asks again by itself
      return { status: toApiError(error).status >= 500 ? 200 : 404, domains: [], given: null }
    }
  }

  /** What the page has in it. Throws where there is nothing to show: the page then finds out why. */
  async function givenOf(
    found: Awaited<ReturnType<typeof findPublished>>,
    slug: string,
    { query, headers, ip }: FastifyRequest<{ Querystring: Asked }>,
  ): Promise<GivenPage | null> {
    if (!firstView) return null
    const { beginInFrame, channels } = app.modules.provided(conversations)
    const page = await chatPageOf(context, channels, found, { slug })
    const [language] = acceptedLanguages(headers['accept-language'])
    const spoken = await firstView.speak(page, language ?? 'en')
    const { begin, url } = query
    if (typeof begin !== 'string' || page.closed) return { page, spoken, begun: null }
    const asked = { token: begin, url: typeof url === 'string' ? url : '', language, address: callerAddress(ip) }
    return { page, spoken, begun: await beginInFrame(found, asked).catch(() => null) }
  }
}

const takesGzip = ({ headers }: FastifyRequest): boolean => /\bgzip\b/.test(headers['accept-encoding'] ?? '')

/** The program that draws the chat at first, beside the built interface; null without it. */
async function loadFirstView(folder: string): Promise<FirstView | null> {
  const program = join(folder, '../firstView/firstView.js')
  return existsSync(program) ? ((await import(pathToFileURL(program).href)) as FirstView) : null
}
