import type { FastifyInstance } from 'fastify'
import { sendCspReports } from '../../contracts/cspReports'
import { acmeChallenge, reachToken } from '../../contracts/domains'
import { readLiveness, readReadiness } from '../../contracts/probes'
import type { ServerContext } from '../../platform/context'
import { ApiError, apiErrors } from '../../platform/errors'
import type { ChatbotHost, Hosts } from './hosts'

const withoutParam = (path: string) => path.replace(/:\w+$/, '')
/** Paths served at any host: for load balancers, and for checks of where a host points. */
const FOR_ALL = [readLiveness.path, readReadiness.path, withoutParam(acmeChallenge.path), withoutParam(reachToken.path)]

/**
 * Restricts a chatbot's custom host to its chatbot: its page at `/`, what pages of other sites load of it, the API
 * calls and scripts of both, and its project's files. The rest of the application is not served there, and no cookie is
 * read. Call it before hooks that read cookies.
 * @param hosts called per request: modules are created after the hooks
 */
export function serveHosts(app: FastifyInstance, { db }: Pick<ServerContext, 'db'>, hosts: () => Hosts): void {
  app.decorateRequest('chatbotHost', null)

  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    if (FOR_ALL.some((prefix) => (prefix.endsWith('/') ? path.startsWith(prefix) : path === prefix))) return
    const host = await hosts().find(request.host)
    if (!host) return
    request.chatbotHost = host
    delete request.headers.cookie
    // meant for the builder's host; here it would apply to somebody else's whole domain
    reply.removeHeader('strict-transport-security')
    if (host.serves && (isItsPage(path, request.method, host) || (await isItsFile(path, host)))) return
    if (path.startsWith('/api/')) throw new ApiError('not_found')
    return reply.code(404).type('text/plain; charset=utf-8').send(apiErrors.not_found.text)
  })

  async function isItsFile(path: string, { projectId }: ChatbotHost): Promise<boolean> {
    const [, sent, gid] = /^\/files\/(sent\/)?([a-z0-9]{16})$/.exec(path) ?? []
    if (gid === undefined) return false
    const file = await db
      .forProject(projectId)
      .selectFrom(sent ? 'sent_files' : 'files')
      .select('gid')
      .where('gid', '=', gid)
      .executeTakeFirst()
    return file !== undefined
  }
}

function isItsPage(asked: string, method: string, { slug, egid }: ChatbotHost): boolean {
  // browsers leave it as it is in an address, programs need not
  const path = asked.replace('/%40', '/@')
  const isRead = method === 'GET' || method === 'HEAD'
  if (isRead && ['/', '/embed.js', `/embed/@${egid}`, `/api/embed/${egid}`].includes(path)) return true
  if (path.startsWith('/assets/') || path === sendCspReports.path) return true
  return [`/api/chat/${slug}`, `/api/chat/@${egid}`].some((own) => path === own || path.startsWith(`${own}/`))
}
