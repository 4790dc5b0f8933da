import { Parser } from 'htmlparser2'
import { cleanText } from '../../../../engine/values/cleanText'
import { decodeText } from '../page/decodeText'
import { normalizeUrl } from '../page/normalizeUrl'

export interface FeedBytes {
  bytes: Uint8Array
  /** the server's header */
  contentType: string | undefined
  /** where it was read: links may be relative to it */
  url: string
  /** the most entries to return */
  most: number
}
export interface ListedPage {
  url: string
  title: string
}
export interface ParsedFeed {
  title: string
  /** in the order of the feed, which is newest first, each page once */
  entries: ListedPage[]
  /** whether it has more of them */
  more: boolean
}

/** Bytes of a feed; larger ones are refused. */
export const MOST_BYTES = 10_000_000
const LONGEST_TITLE = 500

/**
 * Parses RSS (0.9 to 2.0, RDF), Atom (RFC 4287) or JSON Feed (1.1) as received; null for anything else. Foreign text:
 * call it in a worker thread. Its time grows with the length alone.
 */
export function parseFeed({ bytes, contentType, url, most }: FeedBytes): ParsedFeed | null {
  const text = decodeText(bytes, contentType)
  const found = text.trimStart().startsWith('{') ? parseJsonFeed(text) : parseXmlFeed(text)
  if (!found) return null
  const entries = new Map<string, ListedPage>()
  let more = false
  for (const { link, title } of found.entries) {
    const page = link.trim() === '' ? null : normalizeUrl(link.trim(), url)
    if (!page || entries.has(page)) continue
    more = entries.size >= most
    if (more) break
    entries.set(page, { url: page, title: shortTitle(title) })
  }
  return { title: shortTitle(found.title), entries: [...entries.values()], more }
}

const shortTitle = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE)

interface FoundFeed {
  title: string
  entries: { link: string; title: string }[]
}

/** What an entry has been found to say. */
interface Entry {
  /** the page that it is about */
  link: string
  /** of RSS: an address as well, unless it says otherwise */
  guid: string
  title: string
}

const ROOTS = new Set(['rss', 'rdf:rdf', 'feed'])
const ENTRIES = new Set(['item', 'entry'])

function parseXmlFeed(text: string): FoundFeed | null {
  const feed: FoundFeed = { title: '', entries: [] }
  let root: string | null = null
  let entry: Entry | null = null
  /** names of the open elements */
  const open: string[] = []
  /** where the text of the open element goes */
  let words: string[] | null = null
  let guidIsLink = true
  const isWithin = (name: string | undefined) => (entry ? ENTRIES.has(name ?? '') : name === 'channel' || name === root)
  const parser = new Parser(
    {
      onopentag(given, attributes) {
        const name = given.toLowerCase()
        root ??= name
        const parent = open.at(-1)
        open.push(name)
        if (!ROOTS.has(root)) return
        if (ENTRIES.has(name)) entry = { link: '', guid: '', title: '' }
        if (!isWithin(parent)) return
        words = ['title', 'link', 'guid'].includes(name) ? [] : null
        if (name === 'guid') guidIsLink = attributes.isPermaLink !== 'false'
        // Atom has several links of an entry: of itself, of comments, of files
        if (name === 'link' && entry && attributes.href && [undefined, 'alternate'].includes(attributes.rel))
          entry.link ||= attributes.href
      },
      ontext: (piece) => void words?.push(piece),
      onclosetag(given) {
        const name = given.toLowerCase()
        open.pop()
        if (words && isWithin(open.at(-1))) {
          const said = words.join('').trim()
          if (name === 'title' && entry) entry.title ||= plainTitle(said)
          else if (name === 'title') feed.title ||= plainTitle(said)
          else if (name === 'link' && entry) entry.link ||= said
          else if (name === 'guid' && entry && guidIsLink && /^https?:/i.test(said)) entry.guid = said
          words = null
        }
        if (!ENTRIES.has(name) || !entry) return
        feed.entries.push({ link: entry.link || entry.guid, title: entry.title })
        entry = null
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.write(text)
  parser.end()
  return root !== null && ROOTS.has(root) ? feed : null
}

/** Titles may be HTML, escaped once more. */
const plainTitle = (text: string): string => text.slice(0, LONGEST_TITLE * 4).replace(/<[^<>]{0,200}>/g, '')

function parseJsonFeed(text: string): FoundFeed | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  const { version, title, items } = (value ?? {}) as { version?: unknown; title?: unknown; items?: unknown }
  if (typeof version !== 'string' || !version.startsWith('https://jsonfeed.org/') || !Array.isArray(items)) return null
  const said = (one: unknown): string => (typeof one === 'string' ? one : '')
  const entries = items.map((item: { url?: unknown; title?: unknown } | null) => ({
    link: said(item?.url),
    title: said(item?.title),
  }))
  return { title: said(title), entries }
}
