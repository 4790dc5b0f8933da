import type { FastifyInstance } from 'fastify'
import { chatbotOf } from '../../access/chatbots'
import { registerRoute } from '../../access/register'
import { checkSite, type SiteCheck } from '../../contracts/embed'
import { mayEmbed } from '../../contracts/web/domains'
import type { Config } from '../../platform/config/config'
import type { ServerContext } from '../../platform/context'
import { fieldError } from '../../platform/errors'
import { chatUrlOf } from '../../platform/http/chatOrigin'
import { OutboundError } from '../../platform/outbound/errors'
import { createOutboundFetch } from '../../platform/outbound/outboundFetch'
import { networksOf } from '../../platform/outbound/projectNetworks'
import { webAddressProblem } from '../../platform/outbound/webAddress'
import { readWebChat } from './webSettings'

/** The line belongs into a page's head, or near its end: what is longer is not read. */
const MOST_BYTES = 2_000_000

/**
 * Looks at a page of somebody's site: whether it holds the line, of which chatbot, and what would keep it from working.
 */
export function registerSiteCheck(app: FastifyInstance, context: ServerContext): void {
  const fetchOutbound = createOutboundFetch({ allowed: context.config.outboundAllow })
  registerRoute(app, context, checkSite, async ({ caller: { db, project }, params, body }) => {
    const { id, egid, domain } = await chatbotOf(db, project.id, params.cgid)
    const url = /^[a-z][a-z0-9+.-]*:/i.test(body.url) ? body.url : `https://${body.url}`
    const allowed = await networksOf(context, project.id)
    const problem = webAddressProblem(url, allowed)
    if (problem) throw fieldError('url', problem)
    const { embed } = await readWebChat(db, { projectId: project.id, chatbotId: id })
    try {
      const page = await fetchOutbound({ url, maxBytes: MOST_BYTES, allowed, headers: [['accept', 'text/html']] })
      if (page.status >= 400)
        return { url: page.url, found: false, problems: [{ problem: 'no_page' as const, detail: String(page.status) }] }
      const html = Buffer.from(page.body).toString('utf8')
      return {
        url: page.url,
        ...judge(html, page, { egid, domain, domains: embed.whitelisted_domains, config: context.config }),
      }
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      return { url, found: false, problems: [{ problem: 'unreachable' as const, detail: error.message }] }
    }
  })
}

interface Expected {
  egid: string
  /** its own host, whose line is as good */
  domain: string | null
  domains: readonly string[]
  config: Pick<Config, 'chatUrl' | 'publicUrl'>
}

/** What a page says: the line, as far as the page's own text has it, and what its rules forbid. */
function judge(
  html: string,
  page: { url: string; headers: Record<string, string> },
  { egid, domain, domains, config }: Expected,
): Pick<SiteCheck, 'found' | 'problems'> {
  const lines = embedLines(html)
  const own = lines.find(({ chatbot }) => chatbot === egid)
  const problems: SiteCheck['problems'] = []
  const [other] = lines
  if (!own && other) problems.push({ problem: 'other_chatbot', detail: other.chatbot })
  if (!own && !other) problems.push({ problem: 'no_line', detail: '' })
  const home = own && own.host === domain ? own.host : new URL(chatUrlOf(config)).host
  if (own && own.host !== home) problems.push({ problem: 'other_server', detail: own.host })
  const { origin, hostname } = new URL(page.url)
  if (!mayEmbed(domains, origin)) problems.push({ problem: 'domain', detail: hostname })
  const missing = missingSources(page.headers['content-security-policy'] ?? '', home)
  if (missing.length > 0) problems.push({ problem: 'policy', detail: missing.join(', ') })
  return { found: own !== undefined, problems }
}

/** Addresses of our line, wherever they stand. Each step goes on behind the last one, so that no page takes long. */
function embedLines(html: string): { host: string; chatbot: string }[] {
  const found: { host: string; chatbot: string }[] = []
  const line = /https?:\/\/([^\s"'<>/\\]{1,255})\/embed\.js\?([^\s"'<>\\]{1,500})/g
  for (const [, host = '', query = ''] of html.matchAll(line)) {
    const chatbot = new URLSearchParams(query.replaceAll('&amp;', '&')).get('chatbot')
    if (chatbot && found.length < 20) found.push({ host, chatbot })
  }
  return found
}

/** What a page's Content Security Policy would have to name and does not: where it says nothing of it, all is well. */
function missingSources(policy: string, host: string): string[] {
  const rules = new Map(
    policy
      .split(/[;,]/)
      .map((rule) => rule.trim().split(/\s+/))
      .map(([name = '', ...sources]) => [name.toLowerCase(), sources]),
  )
  const lacks = (name: string, fallbacks: string[]) => {
    const sources = [name, ...fallbacks].map((each) => rules.get(each)).find((each) => each !== undefined)
    if (!sources) return false
    return !sources.some(
      (source) =>
        source === '*' ||
        source === 'https:' ||
        source.includes(host) ||
        (name === 'script-src' && /^'(?:nonce-|strict-dynamic)/.test(source)),
    )
  }
  return [
    ...(lacks('script-src', ['default-src']) ? ['script-src'] : []),
    ...(lacks('connect-src', ['default-src']) ? ['connect-src'] : []),
    ...(lacks('frame-src', ['child-src', 'default-src']) ? ['frame-src'] : []),
  ]
}
