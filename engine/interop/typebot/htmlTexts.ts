import type { RichText } from '../../values/richText'
import { clip } from '../fields'
import { createRichTextBuilder, type Marks } from './richTexts'
import type { VariableNames } from './texts'

/**
 * Converts the HTML of older files to rich text: paragraphs, lists, bold, italic, underline, links. Unknown tags are
 * dropped, their text stays. One pass over the text, however malformed.
 */
export function fromHtml(source: string, names: VariableNames): RichText {
  const html = source.length > LONGEST ? wholeTags(clip(source, LONGEST)) : source
  if (html.length < source.length) names.note(`The text had more than ${LONGEST} characters of HTML and was cut.`)
  const builder = createRichTextBuilder(names)
  const open: { tag: string; marks: Marks }[] = []
  const lists: ('bullet' | 'number')[] = []
  /** by tag: how many were opened beyond the depth limit, to be closed first */
  const beyond = new Map<string, number>()
  const marks = () => open.at(-1)?.marks ?? {}
  let at = 0
  while (at < html.length) {
    const start = html.indexOf('<', at)
    const end = start < 0 ? -1 : html.indexOf('>', start)
    if (end < 0) {
      builder.add(decode(html.slice(at)), marks())
      break
    }
    if (start > at) builder.add(decode(html.slice(at, start)), marks())
    at = end + 1
    const inside = html.slice(start + 1, end)
    const [, closing, name] = /^(\/?)\s*([a-zA-Z][a-zA-Z0-9]*)/.exec(inside) ?? []
    const tag = name?.toLowerCase()
    if (!tag) continue
    if (tag === 'br') builder.close(true)
    else if (tag === 'li' && !closing) builder.item(lists.at(-1) ?? 'bullet', lists.length - 1)
    else if (BLOCKS.has(tag)) {
      // some editors put a <p> into each list item: the item's paragraph goes on
      if (tag !== 'p' || lists.length === 0 || closing) builder.close(false)
      if (tag !== 'ul' && tag !== 'ol') continue
      if (closing) lists.pop()
      else if (lists.length < MAX_OPEN) lists.push(tag === 'ol' ? 'number' : 'bullet')
    } else if (closing && (beyond.get(tag) ?? 0) > 0) beyond.set(tag, (beyond.get(tag) ?? 0) - 1)
    else if (closing) {
      const opened = open.findLastIndex((element) => element.tag === tag)
      if (opened >= 0) open.length = opened
    } else if (open.length < MAX_OPEN) {
      if (tag === 'a') open.push({ tag, marks: builder.link(marks(), decode(attribute(inside, 'href'))) })
      else if (MARKS.has(tag)) open.push({ tag, marks: { ...marks(), ...MARKS.get(tag) } })
    } else if (tag === 'a' || MARKS.has(tag)) beyond.set(tag, (beyond.get(tag) ?? 0) + 1)
  }
  return builder.finish()
}

/** Removes a tag that was cut in half. */
function wholeTags(html: string): string {
  const last = html.lastIndexOf('<')
  return last > html.lastIndexOf('>') ? html.slice(0, last) : html
}

const MAX_OPEN = 64
/** Ten times the cap of a text, to leave room for tags. */
const LONGEST = 200_000
const BLOCKS = new Set(['div', 'p', 'li', 'ul', 'ol', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre'])
const MARKS = new Map<string, Marks>(
  Object.entries<Marks>({
    b: { bold: true },
    strong: { bold: true },
    i: { italic: true },
    em: { italic: true },
    u: { underline: true },
  }),
)

const attribute = (inside: string, name: string): string =>
  new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i')
    .exec(inside)
    ?.slice(1)
    .find((value) => value) ?? ''

const ENTITIES: Record<string, string | undefined> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function decode(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{1,8}));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[String(name).toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
