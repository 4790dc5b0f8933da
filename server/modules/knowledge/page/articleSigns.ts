import { type PageDocument, textOf } from './dom'

/** Said of news, posts and reports alone. `og:type` is not: many sites call each of their pages an article. */
const OF_ARTICLES = 'meta[property="article:published_time"], [itemprop~="articleBody" i]'
const TYPE = /"@type"\s{0,9}:\s{0,9}(?:\[\s{0,9})?"(\w{1,40})"/g
const ARTICLE = /^(?:\w*Article|\w*BlogPosting|Report|Review)$/
/** Of these, what stands beside the text is content: steps, prices, dates, replies, tables. */
const OTHER = /^(?:Recipe|Product|FAQPage|QAPage|\w*Event|HowTo|DiscussionForumPosting|TechArticle|APIReference)$/
/** The most characters of structured data that are looked at. */
const MOST = 200_000

/** Of `article`, the text is the content, and captions, bylines and comments are not. */
export type PageKind = 'article' | 'other' | 'unknown'

/**
 * What a page says of itself (schema.org's types, Open Graph's time of publication). Call it before scripts are
 * removed.
 */
export function pageKind(document: PageDocument): PageKind {
  const types = new Set<string>()
  let left = MOST
  for (const script of document.querySelectorAll('script[type="application/ld+json" i]')) {
    const text = (script.textContent ?? '').slice(0, left)
    left -= text.length
    for (const [, type] of text.matchAll(TYPE)) if (type) types.add(type)
    if (left <= 0) break
  }
  const all = [...types]
  if (all.some((type) => OTHER.test(type))) return 'other'
  return all.some((type) => ARTICLE.test(type)) || document.querySelector(OF_ARTICLES) ? 'article' : 'unknown'
}

/** Its text, without that of its links: menus and lists of further pages are nearly all links. */
export function ownWords(element: Parameters<typeof textOf>[0]): number {
  let linked = 0
  for (const link of element?.querySelectorAll('a') ?? []) linked += textOf(link).length
  return textOf(element).length - linked
}
