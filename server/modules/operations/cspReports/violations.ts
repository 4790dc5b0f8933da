import type { CspReportBody } from '../../../contracts/cspReports'
import { screenPathOf } from '../../../contracts/screens'

/** What is kept of a report: nothing of the visitor, and no id of anybody's thing. */
export interface Violation {
  directive: string
  /** an origin, or a word such as `inline` */
  blocked: string
  kind: 'app' | 'chat' | 'widget' | 'docs' | 'other'
  /** its path, with names for ids */
  page: string | null
  /** a path of this server, or an origin */
  source: string | null
  line: number | null
}

/** Fetch directives and those of documents and navigation (CSP level 3, 6.1 to 6.4): others are `other`. */
const directives = new Set(
  'default-src script-src script-src-elem script-src-attr style-src style-src-elem style-src-attr img-src media-src frame-src child-src font-src connect-src worker-src object-src manifest-src base-uri form-action frame-ancestors'.split(
    ' ',
  ),
)
/** What browsers say in the place of an address (CSP level 3, 2.4.2), and schemes that they shorten addresses to. */
const keywords = new Set('inline eval wasm-eval trusted-types-policy trusted-types-sink self data blob'.split(' '))

/**
 * What reports say, without what extensions of browsers did.
 * @param isChatHost whether they came over a chatbot's own host, whose page stands at `/`
 */
export function violationsOf(body: CspReportBody, isChatHost: boolean): Violation[] {
  return reportsIn(body)
    .filter(({ page, blocked, source }) => ![page, blocked, source].some(isOfExtension))
    .map(({ directive, blocked, page, source, line }) => {
      const [name = ''] = directive.split(' ', 1)
      return {
        directive: directives.has(name) ? name : 'other',
        blocked: blockedIn(blocked),
        ...pageIn(page, isChatHost),
        source: sourceIn(source, page),
        line: Number.isSafeInteger(line) && line > 0 ? line : null,
      }
    })
    .filter((violation) => !isOwnProbe(violation))
}

/** Once a page zod tries whether it may compile its checks, which our policy refuses: each visit would be reported. */
const isOwnProbe = ({ blocked, source }: Violation): boolean => blocked === 'eval' && /^\/assets\//.test(source ?? '')

function reportsIn({ 'csp-report': old, reports = [] }: CspReportBody) {
  const found = reports.map(({ url, body }) => ({
    directive: body.effectiveDirective ?? '',
    blocked: body.blockedURL ?? '',
    page: body.documentURL ?? url ?? '',
    source: body.sourceFile ?? '',
    line: body.lineNumber ?? 0,
  }))
  if (old)
    found.push({
      directive: old['effective-directive'] ?? old['violated-directive'] ?? '',
      blocked: old['blocked-uri'] ?? '',
      page: old['document-uri'] ?? '',
      source: old['source-file'] ?? '',
      line: old['line-number'] ?? 0,
    })
  return found
}

/** Browsers shorten such an address to its scheme. */
function isOfExtension(address: string): boolean {
  const scheme = address.split(':', 1)[0]?.toLowerCase() ?? ''
  return scheme.endsWith('-extension') || scheme === 'webkit-masked-url' || scheme === 'user-script'
}

function blockedIn(blocked: string): string {
  const origin = originIn(blocked)
  if (origin !== null) return origin
  const word = blocked.split(':', 1)[0]?.toLowerCase() ?? ''
  return keywords.has(word) ? word : 'other'
}

const parsed = (address: string): URL | null => (URL.canParse(address) ? new URL(address) : null)

/** Of addresses of the network: others have none. */
function originIn(address: string): string | null {
  const url = parsed(address)
  return url && /^(?:https?|wss?):$/.test(url.protocol) && url.host.length <= 255
    ? `${url.protocol}//${url.host}`
    : null
}

function pageIn(address: string, isChatHost: boolean): Pick<Violation, 'kind' | 'page'> {
  const path = parsed(address)?.pathname ?? ''
  if (path.startsWith('/c/') || (isChatHost && path === '/')) return { kind: 'chat', page: '/c/:slug' }
  if (path.startsWith('/embed/')) return { kind: 'widget', page: '/embed/:chatbot' }
  if (/^\/docs(?:\/[a-z0-9-]{0,40}){0,3}$/.test(path)) return { kind: 'docs', page: path }
  const page = screenPathOf(path)
  return { kind: page === null ? 'other' : 'app', page }
}

/** A page's own scripts stand at its host; those of others have paths that are not for us. */
function sourceIn(source: string, page: string): string | null {
  const origin = originIn(source)
  if (origin === null || origin !== originIn(page)) return origin
  const path = parsed(source)?.pathname ?? ''
  return /^\/(?:embed\.js|(?:docs\/)?assets\/[\w./-]{1,100})$/.test(path) ? path : pageIn(source, false).page
}
