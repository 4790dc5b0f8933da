import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { frameAncestors } from './contracts/web/domains'
import { findPublished } from './modules/conversations/chat/findPublished'
import type { ServerContext } from './platform/context'
import { toApiError } from './platform/errors'

const HOUR = 60 * 60

/**
 * Serves what pages of other sites load: `/embed.js`, which stays at its address and names the launcher by its hash,
 * and the chat in a frame, `/embed/@<external id>`, which browsers show within the pages of the allowed domains alone.
 * Nothing without a build.
 */
export function serveEmbed(app: FastifyInstance, context: Pick<ServerContext, 'db' | 'config'>, folder: string): void {
  const [script, page] = [join(folder, 'embed.js'), join(folder, 'widget/chat.html')]
  if (!existsSync(script) || !existsSync(page)) return
  const [loader, html] = [readFileSync(script), readFileSync(page, 'utf8')]
  const packed = gzipSync(loader, { level: 9 })

  app.get('/embed.js', (request, reply) => {
    const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
    return reply
      .headers({
        // a new version reaches pages within the hour, and nobody waits for it
        'cache-control': `public, max-age=${HOUR}, stale-while-revalidate=${24 * HOUR}`,
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
        vary: 'accept-encoding',
        ...(takesGzip && { 'content-encoding': 'gzip' }),
      })
      .type('text/javascript; charset=utf-8')
      .send(takesGzip ? packed : loader)
  })

  app.get<{ Params: { name: string } }>('/embed/:name', async ({ params }, reply) => {
    const { status, domains } = await shownTo(params.name)
    const policy = String(reply.getHeader('content-security-policy') ?? '')
    reply.removeHeader('x-frame-options')
    return reply
      .code(status)
      .headers({
        'content-security-policy': policy.replace(/frame-ancestors[^;]*/, `frame-ancestors ${frameAncestors(domains)}`),
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'no-cache',
        'x-robots-tag': 'noindex',
      })
      .type('text/html; charset=utf-8')
      .send(html)
  })

  /** Which sites may hold it: any, where there is nothing to be shown but that there is nothing. */
  async function shownTo(name: string): Promise<{ status: number; domains: readonly string[] }> {
    if (!name.startsWith('@')) return { status: 404, domains: [] }
    try {
      return { status: 200, domains: (await findPublished(context, name)).web.embed.whitelisted_domains }
    } catch (error) {
      // while the database can't be asked, the page comes and asks again by itself
      return { status: toApiError(error).status >= 500 ? 200 : 404, domains: [] }
    }
  }
}
