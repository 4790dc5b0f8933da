import type { PageKind } from './articleSigns'
import { findAll, type TreeElement, treeText, walk } from './tree'

/** What stands around a content by its element or role. */
const AROUND = new Set('nav footer menu select input textarea noscript button dialog'.split(' '))
const AROUND_ROLES = new Set('navigation banner contentinfo search dialog complementary'.split(' '))

/** Kinds of blocks beside a content, by the words that end their names: `post__share-bar`, `relatedStories`. */
const end = (...names: string[]) => new RegExp(`(?:^|-)(?:${names.join('|')})$`)
const PARTS =
  '(?:-?(?:bar|box|block|wrap|wrapper|container|inner|section|area|list|links?|items?|widget|module|panel|row))*'
const COOKIES = /cookie|consent/
/** Buttons and links: gone where they are hardly anything else. */
const TOOLS = end(
  `(?:share|sharing|share-?this|social|social-?media|social-?share|add-?to-?any|sharedaddy|add-?this|follow-?us|print)-?(?:buttons?|icons?|tools?)?${PARTS}`,
  `(?:breadcrumbs?|pagination|pager|paging|prev-next|(?:post|article)-nav(?:igation)?|skip-(?:link|to)\\S*|back-to-top|tags?|tag-cloud)${PARTS}`,
)
/** What leads on to other pages, and what may be the content of a first page. */
const RELATED =
  /(?:^|-)(?:related|recommend(?:ed|ations?)|similar|upsells?|cross-sells?|read-next|more-(?:from|on)|also-(?:read|like)|up-next|outbrain|taboola)(?:-|$)/
const FURTHER = /(?:^|-)(?:more-(?:stories|news|articles)|most-(?:read|popular|viewed)|trending|popular|latest)(?:-|$)/
/** What asks to be sent more. */
const ASKING = end(
  `(?:newsletter|subscribe|subscription|sign-?up|opt-?in|mailing-?list|mailchimp|paywall)(?:-?(?:form|promo|cta|signup|banner))?${PARTS}`,
)
/** What an article has around its text: who wrote it and when, what its pictures show, what readers say. */
const OF_ARTICLES = end(
  `(?:by-?line|author|authors|author-?(?:info|bio|box|name|card|details)|about-(?:the-)?author|contributors?|date-?line|time-?stamp|(?:publish(?:ed)?|post|posted|entry|article|updated|created)-?(?:date|time|on|meta|info)|meta-?data|kicker)${PARTS}`,
  `(?:(?:wp-)?caption(?:-?text)?|credits?|photo-?credit|image-?(?:caption|credit|source)|pull-?quote|advert\\w*|ads?|ad-?(?:slot|unit|container|wrapper|label)|sponsor(?:ed)?|promo|promotion|teaser|disclaimer|slideshow|lightbox|inline-?gallery)${PARTS}`,
)
const COMMENTS = end(
  `(?:comments?|comment-?(?:list|thread|section|area)|responses|disqus(?:-thread)?|respond|discussion|replies)${PARTS}`,
)

/** The characters of a name that are looked at. */
const MOST_NAME = 300
const MOST_TOOLS = 200
const MOST_ASKING = 1_500
const LITTLE = 0.25
const MOST_COOKIES = 2_000
/** A part with this share of all words is the content, whatever it is called. */
const MAIN_SHARE = 0.4
/** Characters that are left of an article without its comments. */
const LEAST_ARTICLE = 500
/** The same of what does not say that it is one: it might be a conversation. */
const LEAST_TEXT = 1_000
const LEAST_REST = 100
const SOME_LINKS = 3
/** A list of this many links with hardly a word beside them is a menu. */
const MENU_LINKS = 5
const MENU_SHARE = 0.1
const MENU_SENTENCE = 20

/** A heading over what leads on to other pages. */
const LEADING =
  /^(?:related|recommended|similar|more (?:from|on|stories|news)|read (?:more|next|also)|also (?:read|bought|interesting)|see also|you (?:may|might) (?:also )?(?:like|be interested)|most (?:read|popular|viewed)|trending|latest|mehr zum thema|das könnte (?:sie|dich)|auch interessant|lesen sie auch|ähnliche|à lire aussi|lire aussi|también te puede|artículos relacionados|leggi anche|leia também)/i
/** A line that speaks of the page. */
const LINE =
  /^(?:advertisement|advertising|anzeige|werbung|publicité|publicidad|story continues below|continue reading|share (?:this|on|via)|follow us|photo(?:graph)?(?: by|:)|image(?: credit|:)|(?:photo|picture|image) credits?|read more:|related:|see also:|watch:|sign up (?:for|to)|subscribe to)/i
const LONGEST_LINE = 120

/**
 * Removes what stands around and between a content by its role, its name and what it holds. Blocks that are most of the
 * page stay, whatever they are called. @param kind of an article its captions, bylines and comments go, too
 */
export function removeBoilerplate(root: TreeElement, kind: PageKind): void {
  walk(root, (element) => {
    const isAround =
      AROUND.has(element.tag) || AROUND_ROLES.has(element.get('role')) || element.get('aria-modal') === 'true'
    if (isAround) element.remove()
  })
  const all = root.own
  walk(root, (element) => {
    if (element.tag === 'pre' || element.tag === 'code') return false
    const names = namesOf(element)
    if (names.length > 0 && isNamed(names) && isBeside(element, names, { all, left: root.own, kind })) element.remove()
    // headers of an article belong to it
    else if ((element.tag === 'header' || element.tag === 'aside') && !element.closest(PARTS_OF_CONTENT))
      element.remove()
  })
  removeFurther(root)
  if (kind === 'article') removeLines(root)
}

const PARTS_OF_CONTENT = new Set(['article', 'section', 'main'])
const ANY = new RegExp(
  [TOOLS, RELATED, FURTHER, ASKING, OF_ARTICLES, COMMENTS, COOKIES].map(({ source }) => source).join('|'),
)
const isNamed = (names: string[]): boolean => names.some((name) => ANY.test(name))

interface Weighed {
  /** characters outside links of the page, before and now */
  all: number
  left: number
  kind: PageKind
}

function isBeside(element: TreeElement, names: string[], { all, left, kind }: Weighed): boolean {
  const called = (type: RegExp) => names.some((name) => type.test(name))
  const { own, length, links } = element
  if (called(COOKIES)) return length < MOST_COOKIES
  const isArticle = kind === 'article'
  const rest = left - own
  if (called(COMMENTS) && kind !== 'other' && rest >= (isArticle ? LEAST_ARTICLE : LEAST_TEXT)) return true
  const holds = findAll(element, ({ tag }) => tag === 'table' || tag === 'pre').length > 0
  if (called(RELATED) && !holds && rest >= LEAST_REST && links >= SOME_LINKS) return true
  if (own > all * MAIN_SHARE) return false
  if (called(TOOLS) && !holds && own < MOST_TOOLS) return true
  if ((called(RELATED) || called(FURTHER)) && (own < length * LITTLE || (isArticle && !holds))) return true
  if (called(ASKING) && !holds && length < MOST_ASKING) return true
  return isArticle && called(OF_ARTICLES) && !holds && own < all * LITTLE
}

/** The names of an element, in lower case, their parts joined by hyphens. */
function namesOf(element: TreeElement): string[] {
  const said = `${element.get('class')} ${element.get('id')}`.slice(0, MOST_NAME)
  if (said === ' ') return []
  return said
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[_:]+/g, '-')
    .replace(/-{2,}/g, '-')
    .split(/\s+/)
    .filter(Boolean)
}

/** Removes headings such as "Related articles" with the list of links below them. */
function removeFurther(root: TreeElement): void {
  const inPart = (part: TreeElement) => {
    const parts = part.children.filter((node) => typeof node !== 'string' && !node.isGone) as TreeElement[]
    for (const [at, element] of parts.entries()) {
      inPart(element)
      const next = parts[at + 1]
      if (!/^h[2-6]$/.test(element.tag) || !next || element.length > LONGEST_LINE) continue
      if (!LEADING.test(treeText(element)) || next.length === 0 || next.own >= next.length * LITTLE) continue
      if (findAll(next, ({ tag }) => tag === 'h1' || tag === 'h2' || tag === 'table').length > 0) continue
      next.remove()
      element.remove()
    }
  }
  inPart(root)
}

const MENUS = new Set(['ul', 'ol', 'td', 'div', 'p'])

/**
 * Removes lists of links that stand for themselves: nothing before them says what they are. A page that is such a list
 * keeps it.
 */
export function removeMenus(root: TreeElement): void {
  const most = root.length * MAIN_SHARE
  const inPart = (part: TreeElement) => {
    let isIntroduced = false
    for (const element of part.children) {
      if (typeof element === 'string' || element.isGone || PARTS_OF_CONTENT.has(element.tag)) continue
      const { length, own, links, tag } = element
      const isMenu = links >= MENU_LINKS && own <= length * MENU_SHARE && length <= most
      if (isMenu && !isIntroduced && MENUS.has(tag)) element.remove()
      else inPart(element)
      isIntroduced ||= /^h[1-6]$/.test(tag) || own >= MENU_SENTENCE
    }
  }
  if (!root.closest(PARTS_OF_CONTENT)) inPart(root)
}

const HELD = new Set(['table', 'pre', 'blockquote'])
const LINES = new Set('p div span h2 h3 h4 h5 h6 li small em strong'.split(' '))

/** Removes the captions of pictures, and short lines that speak of the page. */
function removeLines(root: TreeElement): void {
  const holding = partsWith(root, HELD)
  walk(root, (element) => {
    const { tag, length, parent } = element
    if (tag === 'figcaption') {
      if (parent && !holding.has(parent)) element.remove()
    } else if (LINES.has(tag) && length > 0 && length <= LONGEST_LINE && LINE.test(treeText(element))) element.remove()
  })
}

/** All that have one of these elements in them. */
function partsWith(root: TreeElement, tags: ReadonlySet<string>): ReadonlySet<TreeElement> {
  const parts = new Set<TreeElement>()
  for (const element of findAll(root, ({ tag }) => tags.has(tag)))
    for (let at = element.parent; at && !parts.has(at); at = at.parent) parts.add(at)
  return parts
}
