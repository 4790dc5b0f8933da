import { Parser } from 'htmlparser2'

export type TreeNode = TreeElement | string

/**
 * An element of a page, lighter than those of a DOM: a page has thousands, of which few are its content. Characters and
 * links are counted once and kept up to date as parts are removed.
 */
export class TreeElement {
  readonly children: TreeNode[] = []
  isGone = false
  /** characters of text, without the whitespace around them */
  length = 0
  /** of these, characters in links */
  linked = 0
  links = 0

  constructor(
    public tag: string,
    readonly attributes: Record<string, string>,
    readonly parent: TreeElement | null,
  ) {}

  get(name: string): string {
    return this.attributes[name] ?? ''
  }

  /** Characters outside links: menus and lists of further pages are nearly all links. */
  get own(): number {
    return this.length - this.linked
  }

  remove(): void {
    if (this.isGone) return
    this.isGone = true
    let linked = this.linked
    for (let at = this.parent; at; at = at.parent) {
      if (at.tag === 'a') linked = this.length
      at.length -= this.length
      at.linked -= linked
      at.links -= this.links
    }
  }

  /** The nearest element around it, or itself, that is one of these. */
  closest(tags: ReadonlySet<string>): TreeElement | null {
    for (let at: TreeElement | null = this; at; at = at.parent) if (tags.has(at.tag)) return at
    return null
  }
}

/** What a page says beside its content. */
export interface PageTree {
  /** everything that may be seen, whatever the page closes or opens twice */
  root: TreeElement
  /** attributes of the first `html` */
  html: Record<string, string>
  metas: Record<string, string>[]
  /** attributes of `link` */
  relations: Record<string, string>[]
  base: string
  title: string
  hasScript: boolean
  /** structured data, as text */
  data: string[]
}

/** Without a text of their own. */
const UNSEEN = new Set('script style template svg canvas iframe object embed img picture video audio'.split(' '))
/** Of the head, wherever they stand. */
const FRAME = new Set(['html', 'head', 'body', 'meta', 'link', 'base', 'title'])
/** The deepest nesting of elements: web pages have some thirty. What is deeper is its text alone. */
const DEEPEST = 200
/** Elements that are open at once, each of which the parser looks at for each end tag. */
const MOST_OPEN = 1_000
/** The most characters of structured data. */
const MOST_DATA = 200_000

/**
 * Reads a page. Any text is one: tags may be missing, doubled or never closed. Where too many are open, all of them
 * end.
 */
export function parseTree(source: string): PageTree {
  const root = new TreeElement('body', {}, null)
  const page: PageTree = { root, html: {}, metas: [], relations: [], base: '', title: '', hasScript: false, data: [] }
  const data = { left: MOST_DATA }
  for (let from = 0; from < source.length; ) from += parsePart(source.slice(from), page, data)
  measure(root)
  return page
}

/** Reads a page until too many elements are open. @returns how many characters were read */
function parsePart(source: string, page: PageTree, data: { left: number }): number {
  let at = page.root
  let depth = 0
  /** open elements: what each was appended to, or null where it adds none */
  const open: (TreeElement | null)[] = []
  /** how many of the open elements are not seen */
  let unseen = 0
  let isTitle = false
  let isData = false
  let read = source.length
  const parser = new Parser({
    onopentag(name, attributes) {
      // the text of a script is none of the page
      if (open.length >= MOST_OPEN && name !== 'script' && name !== 'style') {
        read = parser.endIndex + 1
        parser.pause()
      }
      if (UNSEEN.has(name) || unseen > 0) {
        if (unseen === 0 && name === 'script') {
          page.hasScript = true
          isData = /^application\/ld\+json/i.test(attributes.type ?? '') && data.left > 0
          if (isData) page.data.push('')
        }
        unseen++
        open.push(null)
        return
      }
      if (FRAME.has(name)) {
        record(name, attributes)
        open.push(null)
        return
      }
      if (depth >= DEEPEST) {
        open.push(null)
        return
      }
      const element = new TreeElement(name, attributes, at)
      at.children.push(element)
      open.push(at)
      at = element
      depth++
    },
    ontext(text) {
      if (isData && data.left > 0) {
        page.data[page.data.length - 1] += text.slice(0, data.left)
        data.left -= text.length
      } else if (isTitle) page.title += text
      else if (unseen === 0) {
        const last = at.children.length - 1
        if (typeof at.children[last] === 'string') at.children[last] += text
        else at.children.push(text)
      }
    },
    onclosetag(name) {
      const parent = open.pop()
      if (parent) {
        at = parent
        depth--
      } else if (unseen > 0) {
        unseen--
        isData = false
      } else if (name === 'title') isTitle = false
    },
  })
  function record(name: string, attributes: Record<string, string>): void {
    if (name === 'html' && Object.keys(page.html).length === 0) page.html = attributes
    else if (name === 'meta') page.metas.push(attributes)
    else if (name === 'link') page.relations.push(attributes)
    else if (name === 'base') page.base ||= attributes.href ?? ''
    else if (name === 'title') isTitle = page.title === ''
  }
  parser.write(source)
  if (read === source.length) parser.end()
  return read
}

/** Counts characters and links of an element and all in it. */
function measure(element: TreeElement): void {
  for (const child of element.children)
    if (typeof child === 'string') element.length += child.trim().length
    else {
      measure(child)
      element.length += child.length
      element.linked += child.linked
      element.links += child.links
    }
  if (element.tag !== 'a') return
  element.linked = element.length
  element.links++
}

/** Goes through an element's parts in their order; where `enter` answers false, not into that one. */
export function walk(root: TreeElement, enter: (element: TreeElement) => unknown): void {
  for (const child of root.children)
    if (typeof child !== 'string' && !child.isGone && enter(child) !== false && !child.isGone) walk(child, enter)
}

/** What is done with an element and its parts, in their order. */
export interface TreeVisitor {
  text(text: string): void
  /** @returns what is done at its end; null: its parts are not visited */
  open(element: TreeElement): (() => void) | null
}

/** Visits an element and what is in it and was not removed, without recursion. */
export function visit(root: TreeElement, visitor: TreeVisitor): void {
  const path: { element: TreeElement; next: number; end: () => void }[] = []
  const enter = (element: TreeElement) => {
    const end = visitor.open(element)
    if (end) path.push({ element, next: 0, end })
  }
  enter(root)
  for (let place = path[0]; place; place = path.at(-1)) {
    const node = place.element.children[place.next++]
    if (node === undefined) {
      path.pop()
      place.end()
    } else if (typeof node === 'string') visitor.text(node)
    else if (!node.isGone) enter(node)
  }
}

/** The elements in an element that pass, in their order. */
export function findAll(root: TreeElement, passes: (element: TreeElement) => boolean): TreeElement[] {
  const found: TreeElement[] = []
  walk(root, (element) => {
    if (passes(element)) found.push(element)
  })
  return found
}

/** Its text, whitespace collapsed. @param most characters that are enough */
export function treeText(element: TreeElement, most = Infinity): string {
  let text = ''
  const read = (at: TreeElement) => {
    for (const child of at.children) {
      if (text.length > most) return
      if (typeof child === 'string') text += child
      else if (!child.isGone) read(child)
    }
  }
  read(element)
  return text.replace(/\s+/g, ' ').trim()
}

const VOID = new Set(['br', 'hr', 'wbr', 'col', 'input', 'area'])
/** What Readability and the Markdown are made by. */
const KEPT = 'class id role hidden aria-hidden style href colspan rowspan summary itemprop lang dir start'.split(' ')
const UNSAFE = /[&<>"]/g
const escaped = (text: string): string =>
  text.replace(UNSAFE, (sign) => (sign === '&' ? '&amp;' : sign === '<' ? '&lt;' : sign === '>' ? '&gt;' : '&quot;'))

/** An element's content as HTML, without attributes that nothing here reads. */
export function innerHtml(element: TreeElement): string {
  let html = ''
  for (const child of element.children) html += nodeHtml(child)
  return html
}

/** A node as HTML. */
export function nodeHtml(node: TreeNode): string {
  if (typeof node === 'string') return escaped(node)
  if (node.isGone) return ''
  const { tag } = node
  let html = `<${tag}`
  for (const name of KEPT) {
    const value = node.attributes[name]
    if (value !== undefined) html += ` ${name}="${escaped(value)}"`
  }
  return VOID.has(tag) ? `${html}>` : `${html}>${innerHtml(node)}</${tag}>`
}
