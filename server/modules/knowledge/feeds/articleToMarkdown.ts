import { readHtml } from '../page/readHtml'

/** A field of an article. */
export interface ArticleText {
  /** what people call the field */
  label: string
  text: string
  /** rich text; else it is plain */
  isHtml: boolean
}

/** Most characters of one field. */
const MOST = 1_000_000

/**
 * Joins an article's fields to Markdown, each under its label where there are several. Foreign text: call it in a
 * worker thread.
 * @param url where relative links lead
 */
export function articleToMarkdown({ parts, url }: { parts: readonly ArticleText[]; url: string }): string {
  return parts
    .map(({ label, text, isHtml }) => {
      const markdown = isHtml ? htmlToMarkdown(text.slice(0, MOST), url) : text.slice(0, MOST)
      return parts.length > 1 ? `## ${label}\n\n${markdown}` : markdown
    })
    .join('\n\n')
}

const htmlToMarkdown = (html: string, url: string): string =>
  readHtml(`<!doctype html><html><body><main><article>${html}</article></main></body></html>`, url).markdown
