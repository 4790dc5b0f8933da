import { findAll, type PageTree } from './tree'

const TYPE = /"@type"\s{0,9}:\s{0,9}(?:\[\s{0,9})?"(\w{1,40})"/g
const ARTICLE = /^(?:\w*Article|\w*BlogPosting|Report|Review)$/
/** Of these, what stands beside the text is content: steps, prices, dates, replies, tables. */
const OTHER = /^(?:Recipe|Product|FAQPage|QAPage|\w*Event|HowTo|DiscussionForumPosting|TechArticle|APIReference)$/

/** Of `article`, the text is the content, and captions, bylines and comments are not. */
export type PageKind = 'article' | 'other' | 'unknown'

/**
 * What a page says of itself: schema.org's types, and Open Graph's time of publication, which news and posts alone
 * have. `og:type` is not asked: many sites call each of their pages an article.
 */
export function pageKind({ data, metas, root }: PageTree): PageKind {
  const types = new Set<string>()
  for (const text of data) for (const [, type] of text.matchAll(TYPE)) if (type) types.add(type)
  const all = [...types]
  if (all.some((type) => OTHER.test(type))) return 'other'
  const isArticle =
    all.some((type) => ARTICLE.test(type)) ||
    metas.some(({ property }) => property === 'article:published_time') ||
    findAll(root, (element) => /\barticleBody\b/i.test(element.get('itemprop'))).length > 0
  return isArticle ? 'article' : 'unknown'
}
