import { z } from 'zod'
import { readHtml } from '../page/readHtml'
import type { ListedPage } from './parseFeed'

/** Bytes of one answer of a Help Center; larger ones are refused. */
export const MOST_BYTES = 20_000_000

/** What is read of an article; the Help Center's answers have more. */
const articleSchema = z.object({
  id: z.int().positive(),
  html_url: z.url({ protocol: /^https?$/ }).max(2_048),
  title: z.string(),
  body: z.string().nullable(),
  locale: z.string().regex(/^[A-Za-z0-9-]{2,20}$/),
  draft: z.boolean(),
  /** null: everyone may read it */
  user_segment_id: z.number().nullish(),
  user_segment_ids: z.array(z.number()).nullish(),
  updated_at: z.string().max(50),
  edited_at: z.string().max(50).nullish(),
})
type ArticleAnswer = z.infer<typeof articleSchema>

export interface ListedArticle extends ListedPage {
  id: number
  locale: string
  /** moves when its text does */
  mark: string
}
export interface ArticlePage {
  articles: ListedArticle[]
  /** where the list goes on; null: nowhere */
  next: string | null
}

/** Only what a visitor without an account may read: neither drafts nor articles for some people. */
const isPublic = ({ draft, user_segment_id, user_segment_ids }: ArticleAnswer): boolean =>
  !draft && (user_segment_id ?? null) === null && (user_segment_ids ?? []).length === 0

/**
 * Parses a page of the list of articles; null if it is none. Foreign text: call it in a worker thread.
 * @see https://developer.zendesk.com/api-reference/help_center/help-center-api/articles
 */
export function parseArticles({ bytes }: { bytes: Uint8Array }): ArticlePage | null {
  const answer = z
    .object({ articles: z.array(z.unknown()), links: z.object({ next: z.string().nullish() }).nullish() })
    .safeParse(jsonOf(bytes))
  if (!answer.success) return null
  const articles = answer.data.articles.flatMap((each) => {
    const { data } = articleSchema.safeParse(each)
    if (!data || !isPublic(data)) return []
    const { id, locale, html_url: url, title, edited_at, updated_at } = data
    return { id, locale, url, title: title.slice(0, 500), mark: edited_at ?? updated_at }
  })
  return { articles, next: answer.data.links?.next ?? null }
}

/** The names of a Help Center's languages; null if the answer is something else. */
export function parseLocales({ bytes }: { bytes: Uint8Array }): { main: string } | null {
  const { data } = z.object({ default_locale: articleSchema.shape.locale }).safeParse(jsonOf(bytes))
  return data ? { main: data.default_locale } : null
}

export interface Article {
  title: string
  markdown: string
  language: string | null
  mark: string
}

/** Parses one article to Markdown; null if it is none, or not public. Foreign text: call it in a worker thread. */
export function parseArticle({ bytes }: { bytes: Uint8Array }): Article | null {
  const answer = z.object({ article: articleSchema }).safeParse(jsonOf(bytes))
  if (!answer.success || !isPublic(answer.data.article)) return null
  const { title, body, html_url, locale, edited_at, updated_at } = answer.data.article
  const html = `<!doctype html><html><body><main><article>${body ?? ''}</article></main></body></html>`
  const { markdown } = readHtml(html, html_url)
  const language = /^[a-z]{2}/i.exec(locale)?.[0].toLowerCase() ?? null
  return { title: title.slice(0, 500), markdown, language, mark: edited_at ?? updated_at }
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}
