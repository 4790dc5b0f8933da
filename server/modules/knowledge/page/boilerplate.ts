import { ownWords, type PageKind } from './articleSigns'
import { type PageElement, textOf } from './dom'

const AROUND = [
  'nav, footer, menu, select, input, textarea, noscript, button, [aria-modal=true]',
  '[role=navigation], [role=banner], [role=contentinfo], [role=search], [role=dialog], [role=complementary]',
].join(', ')

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
export function removeBoilerplate(body: PageElement, kind: PageKind): void {
  for (const element of [...body.querySelectorAll(AROUND)]) element.remove()
  const all = ownWords(body)
  let left = all
  for (const element of [...body.querySelectorAll('[class], [id]')]) {
    const names = namesOf(element)
    if (names.length === 0 || !isNamed(names) || element.closest('pre, code')) continue
    const own = ownWords(element)
    if (!isBeside(element, names, { own, all, left, kind })) continue
    element.remove()
    left -= own
  }
  // headers of an article belong to it
  for (const element of [...body.querySelectorAll('header, aside')])
    if (!element.closest('article, section, main, [role=main]')) element.remove()
  for (const heading of [...body.querySelectorAll('h2, h3, h4, h5, h6')]) removeLeading(heading)
  if (kind === 'article') removeLines(body)
}

const ANY = new RegExp(
  [TOOLS, RELATED, FURTHER, ASKING, OF_ARTICLES, COMMENTS, COOKIES].map(({ source }) => source).join('|'),
)
const isNamed = (names: string[]): boolean => names.some((name) => ANY.test(name))

interface Weighed {
  own: number
  all: number
  left: number
  kind: PageKind
}

function isBeside(element: PageElement, names: string[], { own, all, left, kind }: Weighed): boolean {
  const called = (kind: RegExp) => names.some((name) => kind.test(name))
  const length = textOf(element).length
  if (called(COOKIES)) return length < MOST_COOKIES
  const isArticle = kind === 'article'
  const rest = left - own
  if (called(COMMENTS) && kind !== 'other' && rest >= (isArticle ? LEAST_ARTICLE : LEAST_TEXT)) return true
  const holds = element.querySelector('table, pre') !== null
  if (called(RELATED) && !holds && rest >= LEAST_REST && element.querySelectorAll('a').length >= SOME_LINKS) return true
  if (own > all * MAIN_SHARE) return false
  if (called(TOOLS) && !holds && own < MOST_TOOLS) return true
  if ((called(RELATED) || called(FURTHER)) && (own < length * LITTLE || (isArticle && !holds))) return true
  if (called(ASKING) && !holds && length < MOST_ASKING) return true
  return isArticle && called(OF_ARTICLES) && !holds && own < all * LITTLE
}

/** The names of an element, in lower case, their parts joined by hyphens. */
function namesOf(element: PageElement): string[] {
  const said = `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`.slice(0, MOST_NAME)
  return said
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[_:]+/g, '-')
    .replace(/-{2,}/g, '-')
    .split(/\s+/)
    .filter(Boolean)
}

/** Removes a heading such as "Related articles" with the list of links below it. */
function removeLeading(heading: PageElement): void {
  if (!LEADING.test(textOf(heading).slice(0, LONGEST_LINE))) return
  const next = heading.nextElementSibling
  if (!next || next.querySelector('h1, h2, table')) return
  const length = textOf(next).length
  if (length === 0 || ownWords(next) >= length * LITTLE) return
  next.remove()
  heading.remove()
}

/**
 * Removes lists of links that stand for themselves: nothing before them says what they are. For pages that are taken
 * whole; a page that is such a list keeps it.
 */
export function removeMenus(body: PageElement): void {
  const all = textOf(body).length
  for (const element of [...body.querySelectorAll('ul, ol, td, div, p')]) {
    const length = textOf(element).length
    if (length === 0 || length > all * MAIN_SHARE || element.querySelectorAll('a').length < MENU_LINKS) continue
    if (ownWords(element) > length * MENU_SHARE || element.closest('main, article, section')) continue
    if (!isIntroduced(element)) element.remove()
  }
}

/** Whether a heading or a sentence stands before it, in the same part. */
function isIntroduced(element: PageElement): boolean {
  for (let at = element.previousElementSibling; at; at = at.previousElementSibling)
    if (/^H[1-6]$/.test(at.tagName) || ownWords(at) >= MENU_SENTENCE) return true
  return false
}

/** Removes the captions of pictures, and short lines that speak of the page. */
function removeLines(body: PageElement): void {
  for (const caption of [...body.querySelectorAll('figcaption')])
    if (!caption.closest('figure')?.querySelector('table, pre, blockquote')) caption.remove()
  for (const line of [...body.querySelectorAll('p, div, span, h2, h3, h4, h5, h6, li, small, em, strong')]) {
    const text = textOf(line)
    if (text.length > 0 && text.length <= LONGEST_LINE && LINE.test(text)) line.remove()
  }
}
