/** What the head of a page says that a look can go by. */
export interface PageHead {
  name: string | null
  themeColour: string | null
  /** addresses, as far as they can be followed */
  icon: string | null
  manifest: string | null
  sheets: string[]
  /** the style sheets that stand in the page */
  styles: string[]
}

/** Most of one tag that is read. */
const TAG = 4_000
const SHEETS = 4
const STYLES = 300_000
const NAME = 100

/**
 * Reads the tags of a page's text in one go, in time by its length whatever stands there: no document is made of it.
 * @param url where the page is, for what it names relative to itself
 */
export function readHead(html: string, url: string): PageHead {
  const head: PageHead = { name: null, themeColour: null, icon: null, manifest: null, sheets: [], styles: [] }
  let title: string | null = null
  let iconSize = -1
  let room = STYLES
  const addressOf = (href: string | undefined): string | null => {
    if (!href || !URL.canParse(href, url)) return null
    const address = new URL(href, url)
    return /^https?:$/.test(address.protocol) ? address.href : null
  }
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      const end = html.indexOf('-->', at)
      if (end < 0) break
      at = end + 3
      continue
    }
    const end = html.indexOf('>', at)
    if (end < 0) break
    const tag = html.slice(at + 1, Math.min(end, at + TAG))
    const kind = /^[a-z]+/i.exec(tag)?.[0].toLowerCase()
    at = end + 1
    if (kind === 'style' || kind === 'script' || kind === 'title') {
      const close = closing[kind]
      close.lastIndex = at
      const stop = close.exec(html)?.index ?? html.length
      if (kind === 'title') title ??= plain(html.slice(at, Math.min(stop, at + 500)))
      if (kind === 'style' && room > 0) {
        head.styles.push(html.slice(at, Math.min(stop, at + room)))
        room -= stop - at
      }
      at = stop
    } else if (kind === 'meta') {
      const { name, property, content, media } = attributesOf(tag)
      if (name?.toLowerCase() === 'theme-color' && content && !media?.includes('dark')) head.themeColour ??= content
      if (property === 'og:site_name' && content) head.name ??= plain(content)
    } else if (kind === 'link') {
      const { rel = '', href, sizes = '' } = attributesOf(tag)
      const rels = rel.toLowerCase().split(/\s+/)
      const address = addressOf(href)
      if (!address) continue
      if (rels.includes('stylesheet') && head.sheets.length < SHEETS) head.sheets.push(address)
      if (rels.includes('manifest')) head.manifest ??= address
      const size = rels.includes('apple-touch-icon')
        ? 180
        : rels.includes('icon')
          ? Number.parseInt(sizes, 10) || 16
          : -1
      if (size > iconSize) {
        iconSize = size
        head.icon = address
      }
    }
  }
  // “Shop – Example” is a page's title, and its last part mostly the site's
  head.name ??= title === null ? null : (title.split(/\s[|–—·-]\s/).at(-1) ?? title)
  return { ...head, name: head.name?.slice(0, NAME).trim() || null }
}

const closing = { style: /<\/style/gi, script: /<\/script/gi, title: /<\/title/gi }

const ATTRIBUTE = /([a-z:-]{1,40})\s?=\s?(?:"([^"]*)"|'([^']*)'|([^\s"'>]{1,2048}))/gi
function attributesOf(tag: string): Partial<Record<string, string>> {
  const found: Partial<Record<string, string>> = {}
  for (const [, name = '', ...values] of tag.matchAll(ATTRIBUTE)) {
    found[name.toLowerCase()] ??= plain(values.find((value) => value !== undefined) ?? '')
  }
  return found
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", apos: "'" }
const plain = (text: string): string =>
  text
    .replace(/&(amp|lt|gt|quot|#39|apos);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim()
