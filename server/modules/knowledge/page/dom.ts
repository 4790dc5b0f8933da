import { parseHTML } from 'linkedom'

/** A text node or an element. */
export interface PageNode {
  /** 1: an element; 3: a text */
  readonly nodeType: number
  readonly textContent: string | null
  /** as HTML */
  toString(): string
}
/** The part of the DOM that is used: the server has no browser types. */
export interface PageElement extends PageNode {
  textContent: string | null
  readonly tagName: string
  readonly childNodes: Iterable<PageNode>
  readonly outerHTML: string
  readonly nextElementSibling: PageElement | null
  readonly previousElementSibling: PageElement | null
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): Iterable<PageElement> & { readonly length: number }
  closest(selector: string): PageElement | null
  remove(): void
  replaceWith(...nodes: PageNode[]): void
}
export interface PageDocument extends PageElement {
  readonly documentElement: PageElement | null
  readonly body: PageElement | null
  readonly title: string
}

/**
 * A document that runs no scripts and loads nothing. A fragment of HTML becomes the body. Elements nested too deeply
 * are reduced to their text, since processing them costs time and stack by depth.
 */
export function parseDocument(html: string): PageDocument {
  const document = parseHTML(withBody(html)).document as unknown as PageDocument
  let level: PageElement[] = [document]
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++)
    level = level.flatMap(({ childNodes }) => [...childNodes].filter(isElement))
  for (const element of level) element.textContent = textOf(element)
  return document
}

/** The deepest nesting of elements: web pages have some thirty. */
const DEEPEST = 200

export const isElement = (node: PageNode): node is PageElement => node.nodeType === 1

/**
 * Adds the tags `html`, `head` and `body`, which HTML allows to omit but this parser needs. Elements that only occur in
 * a head go there.
 */
function withBody(html: string): string {
  if (/<html[\s>]/i.test(html) && /<body[\s>]/i.test(html)) return html
  const head = HEAD.exec(html)?.[0] ?? ''
  const root = /<html[^>]*>/i.exec(head)?.[0] ?? '<html>'
  const inside = head.replace(/<!doctype[^>]*>|<\/?(?:html|head)(?:\s[^>]*)?>/gi, '')
  const rest = html.slice(head.length)
  const body = /<body[\s>]/i.test(rest) ? rest : `<body>${rest.replace(/<\/(?:body|html)>/gi, '')}</body>`
  return `<!doctype html>${root}<head>${inside}</head>${body}</html>`
}

const HEAD = new RegExp(
  `^(?:\\s|${[
    '<!doctype[^>]*>',
    '<!--[\\s\\S]*?-->',
    '</?(?:html|head)(?:\\s[^>]*)?>',
    '<(?:meta|link|base)(?:\\s[^>]*)?>',
    ...['title', 'style', 'script', 'noscript'].map((name) => `<${name}(?:\\s[^>]*)?>[\\s\\S]*?</${name}>`),
  ].join('|')})*`,
  'i',
)

/** Its text, whitespace collapsed. */
export const textOf = (element: PageElement | null): string => (element?.textContent ?? '').replace(/\s+/g, ' ').trim()
