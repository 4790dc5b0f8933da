import { linkProblem, writeLink } from '../../engine/values/linkAddress'
import { listPlaceOf } from '../../engine/values/richTextLists'
import { type FindVariable, padded, textToDynamic, textToInlines } from './conversion'
import type { ChipElement, ParagraphElement, TextLeaf } from './model'

type Marks = Omit<TextLeaf, 'text'>
type List = { kind: 'bullet' | 'number'; level: number } | null

/**
 * Converts clipboard HTML of web pages, Word and Google Docs: bold, italic, underline, links, lists and line breaks;
 * optionally headings; nothing else. The HTML is parsed, never rendered: no scripts run and no images are loaded.
 */
export function htmlToNodes(html: string, find: FindVariable, { headings = false } = {}): ParagraphElement[] {
  const writer = createWriter(find, headings)
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  walkChildren(body, { marks: {}, list: null, spaces: false }, writer)
  return writer.finish()
}

interface Around {
  marks: Marks
  list: List
  /** whether whitespace is preserved */
  spaces: boolean
}

function walkChildren(node: Node, around: Around, writer: Writer): void {
  for (const child of node.childNodes) walk(child, around, writer)
}

function walk(node: Node, around: Around, writer: Writer): void {
  if (node.nodeType === Node.TEXT_NODE) writer.text(node.textContent ?? '', around)
  else if (node instanceof HTMLElement && !isHidden(node)) walkElement(node, around, writer)
}

function walkElement(node: HTMLElement, around: Around, writer: Writer): void {
  const tag = node.localName
  const inner = { ...around, marks: marksOf(node, around.marks, writer.find), spaces: keepsSpaces(node, around.spaces) }
  const word = tag === 'p' ? wordItem(node) : null
  if (tag === 'br') writer.breakLine()
  else if (tag === 'ul' || tag === 'ol') {
    writer.close()
    // Google Docs puts a nested list beside the item, pages put it inside: both are one level deeper
    inner.list = { kind: tag === 'ol' ? 'number' : 'bullet', level: around.list ? around.list.level + 1 : 0 }
    walkChildren(node, inner, writer)
    writer.close()
  } else if (tag === 'li' || word) {
    writer.close()
    writer.startItem(word ?? around.list ?? { kind: 'bullet', level: 0 })
    walkChildren(node, inner, writer)
    writer.close()
  } else if (tag === 'td' || tag === 'th') {
    walkChildren(node, inner, writer)
    writer.text(' ', { ...around, spaces: false })
  } else if (BLOCKS.has(tag)) {
    writer.closeUnlessItemStarts()
    if (HEADING.test(tag)) writer.startHeading(tag)
    walkChildren(node, inner, writer)
    writer.close()
  } else walkChildren(node, inner, writer)
}

const HEADING = /^h[1-6]$/
const BLOCKS = new Set(
  'address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main nav p pre section summary table tbody tfoot thead tr'.split(
    ' ',
  ),
)
const DROPPED = new Set(
  'audio base button canvas embed frame head iframe img input link map math meta noscript object option picture script select source style svg template textarea title track video'.split(
    ' ',
  ),
)

/** Word also writes the bullet as text, marked to be ignored. */
const isHidden = (element: HTMLElement): boolean =>
  DROPPED.has(element.localName) ||
  element.style.display === 'none' ||
  element.className === 'Apple-interchange-newline' ||
  /mso-list:\s*ignore/i.test(element.getAttribute('style') ?? '')

/** Word's items are paragraphs: `mso-list:l0 level2 lfo1`; only the written number shows that the list is numbered. */
function wordItem(element: HTMLElement): List {
  const level = /mso-list:[^;]*\blevel(\d)/i.exec(element.getAttribute('style') ?? '')?.[1]
  if (!level) return null
  const marker = [...element.querySelectorAll('[style]')].find((part) =>
    /mso-list:\s*ignore/i.test(part.getAttribute('style') ?? ''),
  )
  const numbered = /^\s*\(?(\d+|[a-z]|[ivxlc]+)[.)]/i.test(marker?.textContent ?? '')
  return { kind: numbered ? 'number' : 'bullet', level: Number(level) - 1 }
}

function marksOf(element: HTMLElement, around: Marks, find: FindVariable): Marks {
  const { fontWeight, fontStyle, textDecoration, textDecorationLine } = element.style
  const marks = { ...around }
  const set = (mark: 'bold' | 'italic' | 'underline', tags: RegExp, styled: boolean | null) => {
    if (styled ?? tags.test(element.localName)) marks[mark] = true
    else if (styled === false) delete marks[mark]
  }
  set('bold', /^(b|strong)$/, fontWeight === '' ? null : /^(bold|bolder|[6-9]\d\d)$/.test(fontWeight))
  set('italic', /^(i|em|cite|dfn)$/, fontStyle === '' ? null : /^(italic|oblique)/.test(fontStyle))
  const decoration = textDecorationLine || textDecoration
  set('underline', /^(u|ins)$/, decoration === '' ? null : decoration.includes('underline'))
  const address = element.localName === 'a' ? (element.getAttribute('href') ?? '').trim() : ''
  const link = address === '' ? null : textToDynamic(address, find)
  if (link && linkProblem(link) === null) marks.link = writeLink(link)
  // a link's underline is no formatting
  if (marks.link !== undefined) delete marks.underline
  return marks
}

function keepsSpaces(element: HTMLElement, around: boolean): boolean {
  const { whiteSpace } = element.style
  if (whiteSpace !== '') return whiteSpace.startsWith('pre') || whiteSpace === 'break-spaces'
  return around || element.localName === 'pre'
}

type Writer = ReturnType<typeof createWriter>

function createWriter(find: FindVariable, headings: boolean) {
  const paragraphs: ParagraphElement[] = []
  let inlines: TextLeaf[] = []
  let place: Pick<ParagraphElement, 'list' | 'level' | 'heading'> = {}
  /** whether the paragraph has content, even just a collapsed space */
  let begun = false

  function close(evenEmpty = false) {
    const last = inlines.at(-1)
    if (last) last.text = last.text.replace(/ +$/, '')
    const texts = inlines.filter(({ text }) => text !== '')
    if (texts.length > 0 || begun || evenEmpty)
      paragraphs.push({ type: 'paragraph', ...place, children: padded(joinTexts(texts, find)) })
    inlines = []
    place = {}
    begun = false
  }
  return {
    find,
    close: () => close(),
    /** a block at an item's start is the item's own text */
    closeUnlessItemStarts: () => {
      if (!place.list || inlines.length > 0) close()
    },
    startItem: (list: NonNullable<List>) => {
      place = listPlaceOf({ list: list.kind, level: list.level })
    },
    startHeading(tag: string) {
      if (headings && !place.list) place = { heading: Math.min(3, Number(tag[1])) as 1 | 2 | 3 }
    },
    breakLine() {
      if (place.list) inlines.push({ text: '\n' })
      else close(true)
    },
    text(written: string, { marks, spaces }: Around) {
      // Word's empty paragraph contains a non-breaking space
      begun ||= /\u00a0/.test(written)
      let text = spaces ? written : written.replace(/[ \t\r\n\f]+/g, ' ')
      text = text.replaceAll('\u00a0', ' ').replace(/[^\P{Cc}\t\n]|[\u200b\ufeff]/gu, '')
      if (!spaces && /(^|[ \n])$/.test(inlines.at(-1)?.text ?? '')) text = text.replace(/^ /, '')
      const [first = '', ...more] = place.list ? [text] : text.split('\n')
      if (first !== '') inlines.push({ text: first, ...marks })
      for (const line of more) {
        close(true)
        if (line !== '') inlines.push({ text: line, ...marks })
      }
    },
    finish() {
      close()
      return paragraphs
    },
  }
}

/** Joins equally formatted neighbours: pages split words, and a variable's name may be in several pieces. */
function joinTexts(texts: readonly TextLeaf[], find: FindVariable): (TextLeaf | ChipElement)[] {
  const joined: TextLeaf[] = []
  const lookOf = ({ text: _, ...marks }: TextLeaf) => JSON.stringify(marks)
  for (const leaf of texts) {
    const last = joined.at(-1)
    if (last && lookOf(last) === lookOf(leaf)) last.text += leaf.text
    else joined.push({ ...leaf })
  }
  return joined.flatMap(({ text, ...marks }) => textToInlines(text, find, marks))
}
