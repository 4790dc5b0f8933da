import { parseHTML } from 'linkedom'

/** A piece of text, or an element. */
export interface PageNode {
  /** 1: an element; 3: a text */
  readonly nodeType: number
  readonly textContent: string | null
  /** as HTML */
  toString(): string
}
/** What is used of a document: the server has no types of browsers. */
export interface PageElement extends PageNode {
  readonly tagName: string
  readonly childNodes: Iterable<PageNode>
  readonly outerHTML: string
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

/** A document that runs no scripts and loads nothing. A piece of HTML is taken as the body of one. */
export function parseDocument(html: string): PageDocument {
  const whole = /<html[\s>]/i.test(html) ? html : `<!doctype html><html><head></head><body>${html}</body></html>`
  return parseHTML(whole).document as unknown as PageDocument
}

/** Its words, with one space between two of them. */
export const textOf = (element: PageElement | null): string => (element?.textContent ?? '').replace(/\s+/g, ' ').trim()
