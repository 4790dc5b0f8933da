import { createHash } from 'node:crypto'
import { replaceLinks } from '../chunks/links'
import { blockHashes } from './blockHashes'
import { decodeText } from './decodeText'
import { type HtmlContent, readHtml } from './readHtml'

export interface ContentBytes {
  bytes: Uint8Array
  /** the server's header */
  contentType: string | undefined
  kind: 'html' | 'text'
  url: string
}

export interface PageContent extends HtmlContent {
  /** number of non-whitespace characters */
  length: number
  /** equal for pages with the same text */
  fingerprint: string
  /** hashes of its blocks, to be compared with those of the site's other pages */
  blocks: number[]
}

/**
 * A page's content, whatever its format. Slow for large pages: call it in a worker thread
 * (server/platform/workers/tasks.ts).
 */
export function readContent({ bytes, contentType, kind, url }: ContentBytes): PageContent {
  const text = decodeText(bytes, contentType).replaceAll('\0', '')
  const content = kind === 'html' ? readHtml(text, url) : plainContent(text, url)
  const { markdown } = content
  return {
    ...content,
    length: markdown.replace(/\s+/g, '').length,
    fingerprint: createHash('sha256').update(comparableText(markdown)).digest('base64'),
    blocks: blockHashes(markdown),
  }
}

/** Text for the fingerprint: without whitespace and links. */
const comparableText = (markdown: string): string =>
  replaceLinks(markdown, (words) => `[${words}]`)
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

const MOST_TITLE = 500

function plainContent(text: string, address: string): HtmlContent {
  const url = new URL(address)
  const markdown = text.replace(/\r\n?/g, '\n').trim()
  const heading = /^#{1,3}[ \t]+(.+)$/m.exec(markdown)?.[1]?.trim()
  const name = url.pathname.split('/').filter(Boolean).at(-1) ?? url.host
  return {
    title: (heading ?? decodeName(name)).slice(0, MOST_TITLE),
    markdown,
    language: null,
    canonical: null,
    links: [],
    noindex: false,
    refresh: null,
    login: false,
    missing: false,
    scripted: false,
    unfinished: false,
  }
}

const decodeName = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
