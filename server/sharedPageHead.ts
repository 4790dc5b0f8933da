import { findPublished } from './modules/conversations/chat/findPublished'
import { availabilityOf } from './modules/web/availability'
import type { ServerContext } from './platform/context'
import { toApiError } from './platform/errors'
import { chatUrlOf } from './platform/http/chatOrigin'

/**
 * What stands in a shared page's head, for those who read no scripts: other sites' preview cards, and search engines.
 */
export interface PageHead {
  title: string
  description: string
  /** an address, or empty */
  image: string
  url: string
  /** the image of the browser's tab, an address; empty: the one of the built page */
  icon: string
}

interface SharedPage {
  status: 200 | 404
  /** null: nothing is to be told of it */
  head: PageHead | null
  robots: 'all' | 'noindex, nofollow'
}

const HIDDEN = 'noindex, nofollow'

/**
 * The head of a shared page. While the database can't be asked, the page comes without one, and asks again by itself.
 */
export async function sharedPageOf(
  context: Pick<ServerContext, 'db' | 'config' | 'clock'>,
  slug: string,
): Promise<SharedPage> {
  try {
    const { name, lock, web } = await findPublished(context, slug)
    const { visibility, share, look } = web
    if (availabilityOf(visibility, context.clock()).state === 'hidden')
      return { status: 404, head: null, robots: HIDDEN }
    const origin = chatUrlOf(context.config)
    const isListed = visibility.visibility === 'public' && share.robots && lock === null
    return {
      status: 200,
      head: {
        title: share.title || look.brand.name || name,
        description: share.description,
        image: share.image && new URL(share.image, origin).href,
        url: `${origin}/c/${slug}`,
        icon: look.brand.avatar || look.brand.logo,
      },
      robots: isListed ? 'all' : HIDDEN,
    }
  } catch (error) {
    return { status: toApiError(error).status >= 500 ? 200 : 404, head: null, robots: HIDDEN }
  }
}

/** Puts a head into the built page, which says `noindex` itself. */
export function withHead(html: string, { head, robots }: Pick<SharedPage, 'head' | 'robots'>): string {
  const rules = html.replace('<meta name="robots" content="noindex" />', () => meta('name', 'robots', robots))
  if (!head) return rules
  const { title, description, image, url, icon } = head
  const tags = [
    `<title>${escaped(title)}</title>`,
    meta('property', 'og:type', 'website'),
    meta('property', 'og:title', title),
    meta('property', 'og:url', url),
    description && meta('name', 'description', description),
    description && meta('property', 'og:description', description),
    image && meta('property', 'og:image', image),
    meta('name', 'twitter:card', image ? 'summary_large_image' : 'summary'),
  ]
  const marked = icon ? rules.replace(/<link rel="icon"[^>]*>/, () => iconLink(icon)) : rules
  return marked.replace('<title>Chat</title>', () => tags.filter(Boolean).join('\n    '))
}

const meta = (by: 'name' | 'property', name: string, content: string): string =>
  `<meta ${by}="${name}" content="${escaped(content)}" />`

const iconLink = (url: string): string => `<link rel="icon" href="${escaped(url)}" />`

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
