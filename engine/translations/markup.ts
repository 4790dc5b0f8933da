import { charge } from '../budget'
import type { DynamicPart, DynamicValue } from '../values/dynamicValue'
import { staticValue } from '../values/dynamicValue'
import { readLink, writeLink } from '../values/linkAddress'
import { isChip, type Paragraph, type RichText, type RichTextChip, type RichTextLeaf } from '../values/richText'
import { type ListPlace, listPlaceOf } from '../values/richTextLists'
import { isValuePath, VALUE_PATH } from '../values/valuePath'
import type { VisitorText } from './translation'

/**
 * Converts a visitor text to a string that people and models can translate: one line per paragraph, `<b>`, `<i>`, `<u>`
 * and `<a href="…">` for formatting, `<li>` (or `<li number level="1">`) before an item of a list, `{{name}}` for a
 * variable. Escapes only what would be parsed as one of these, so that ordinary texts stay as they are.
 *
 * @param nameOf the name to write for a variable, or `#id` if it has no unique name
 */
export function printMarkup(text: VisitorText, nameOf: (variableId: string) => string): string {
  const variable = (id: string, path = '') => `{{${nameOf(id)}${path}}}`
  if (!Array.isArray(text)) return printValue(text, variable)
  return text.map((paragraph) => printParagraph(paragraph, variable)).join('\n')
}

type Print = (variableId: string, path?: string) => string
type Marks = Pick<RichTextLeaf, 'bold' | 'italic' | 'underline' | 'link'>

const TAGS = [
  ['link', 'a'],
  ['bold', 'b'],
  ['italic', 'i'],
  ['underline', 'u'],
] as const

function printValue(value: DynamicValue, variable: Print): string {
  if (value.type === 'static') return escapeText(value.value)
  let printed = ''
  let pending = ''
  for (const part of value.parts) {
    if (part.type === 'text') pending += part.text
    else {
      printed += escapeText(pending) + variable(part.variable_id, part.path)
      pending = ''
    }
  }
  return printed + escapeText(pending)
}

function printParagraph({ list, level = 0, children }: Paragraph, variable: Print): string {
  const head = list ? `<li${list === 'number' ? ' number' : ''}${level > 0 ? ` level="${level}"` : ''}>` : ''
  let open: Marks = {}
  let line = head
  // adjacent pieces with the same formatting are escaped together: each alone may be harmless
  let pending = ''
  for (const child of children) {
    const tags = turn(open, child, variable)
    if (tags !== '' || isChip(child)) {
      line += escapeText(pending) + tags
      pending = ''
    }
    if (isChip(child)) line += variable(child.variable_id, child.path)
    else pending += child.text
    open = child
  }
  return line + escapeText(pending) + turn(open, {}, variable)
}

/** The tags between two pieces: closes what ends with all tags inside it, opens what begins or continues. */
function turn(from: Marks, to: Marks, variable: Print): string {
  const first = TAGS.findIndex(([mark]) => from[mark] !== to[mark])
  if (first < 0) return ''
  const changed = TAGS.slice(first)
  const closing = changed.filter(([mark]) => from[mark]).map(([, tag]) => `</${tag}>`)
  const opening = changed
    .filter(([mark]) => to[mark])
    .map(([, tag]) => (tag === 'a' ? openLink(to.link ?? '', variable) : `<${tag}>`))
  return closing.reverse().join('') + opening.join('')
}

function openLink(link: string, variable: Print): string {
  const value = readLink(link)
  const parts: readonly DynamicPart[] = value.type === 'static' ? [{ type: 'text', text: value.value }] : value.parts
  const address = parts.map((part) =>
    part.type === 'text'
      ? part.text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('{{', '&#123;{')
      : variable(part.variable_id, part.path),
  )
  return `<a href="${address.join('')}">`
}

const NAME = String.raw`(?:#[A-Za-z0-9_-]{1,64}|[\p{L}\p{M}\p{N}_ ]{0,64})`
const VARIABLE = String.raw`\{\{(${NAME})((?:${VALUE_PATH})?)\}\}`
const ENTITY = '&(?:lt|amp|quot|#123|#10);'
const TAG = String.raw`<(?:(\/?)(b|i|u|a)|a href="([^"\n]{0,9000})"|li( number)?(?: level="(\d)")?)>`
const TOKEN = new RegExp(`${TAG}|${VARIABLE}|${ENTITY}`, 'gu')
const RISKY = new RegExp(`(?=${TAG}|${ENTITY})[<&]|\\{(?=\\{)|\\n`, 'gu')

/** A line break ends a paragraph, except in a text of one line, which has none. */
const escapeText = (text: string): string => text.replace(RISKY, (sign) => ESCAPES[sign] ?? sign)
const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '&': '&amp;', '{': '&#123;', '\n': '&#10;' }
const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&amp;': '&',
  '&quot;': '"',
  '&#123;': '{',
  '&#10;': '\n',
}

/** What could not be parsed as intended. */
export interface MarkupProblems {
  /** names of variables that the flow does not have */
  unknown: string[]
}

/**
 * Parses such a string to the form that the main text has. An unclosed tag ends with its line; a closing tag without an
 * opening one is dropped; an unknown variable stays as text, and is reported.
 * @param idOf the id of the variable with that name, or of `#id`; null if there is none
 */
export function parseMarkup(
  markup: string,
  form: 'rich' | 'line',
  idOf: (name: string) => string | null,
): { text: VisitorText } & MarkupProblems {
  charge(markup.length)
  const unknown: string[] = []
  const known = (name: string): string | null => {
    const id = idOf(name)
    if (id === null) unknown.push(name)
    return id
  }
  if (form === 'line') return { text: parseLine(markup, known), unknown }
  const paragraphs = markup
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => parseParagraph(line, known))
  return { text: paragraphs satisfies RichText, unknown }
}

type Find = (name: string) => string | null

function parseLine(markup: string, idOf: Find): DynamicValue {
  const parts: DynamicPart[] = []
  const add = (text: string) => {
    const last = parts.at(-1)
    if (text === '') return
    if (last?.type === 'text') last.text += text
    else parts.push({ type: 'text', text })
  }
  for (const token of tokens(markup)) {
    if (typeof token === 'string') add(token)
    else if (token.type === 'variable') {
      const id = idOf(token.name)
      if (id === null) add(token.source)
      else parts.push({ type: 'variable', variable_id: id, ...(token.path !== '' && { path: token.path }) })
    } else add(token.source)
  }
  const [only] = parts
  if (parts.every(({ type }) => type === 'text')) return staticValue(only?.type === 'text' ? only.text : '')
  return { type: 'dynamic', parts }
}

function parseParagraph(line: string, idOf: Find): Paragraph {
  const children: Paragraph['children'] = []
  let marks: Marks = {}
  let place: ListPlace = {}
  const add = (text: string) => {
    const last = children.at(-1)
    if (text === '') return
    if (last && !isChip(last) && TAGS.every(([mark]) => last[mark] === marks[mark])) last.text += text
    else children.push({ text, ...marks })
  }
  let first = true
  for (const token of tokens(line)) {
    if (typeof token === 'string') add(token)
    else if (token.type === 'variable') {
      const id = idOf(token.name)
      const chip: RichTextChip = {
        text: '',
        variable: true,
        variable_id: id ?? '',
        ...(token.path !== '' && { path: token.path }),
        ...marks,
      }
      if (id === null) add(token.source)
      else children.push(chip)
    } else if (token.type === 'item') {
      if (first) place = token.place
    } else marks = marked(marks, token, idOf)
    first = false
  }
  return { type: 'paragraph', ...place, children: children.length > 0 ? children : [{ text: '' }] }
}

function marked(marks: Marks, { tag, closes, href }: Token & { type: 'tag' }, idOf: Find): Marks {
  const [name] = TAGS.find(([, known]) => known === tag) ?? TAGS[0]
  const { [name]: _, ...others } = marks
  if (closes) return others
  if (name !== 'link') return { ...others, [name]: true }
  const link = href === undefined ? '' : linkOf(href, idOf)
  return link === '' ? others : { ...others, link }
}

function linkOf(href: string, idOf: Find): string {
  const value = parseLine(href, idOf)
  return writeLink(value)
}

type Token = { source: string } & (
  | { type: 'tag'; tag: string; closes: boolean; href?: string }
  | { type: 'item'; place: ListPlace }
  | { type: 'variable'; name: string; path: string }
)

function* tokens(markup: string): Generator<string | Token> {
  let from = 0
  for (const match of markup.matchAll(TOKEN)) {
    if (match.index > from) yield markup.slice(from, match.index)
    from = match.index + match[0].length
    const [source, slash, tag, href, number, level, name, path = ''] = match
    if (name !== undefined) {
      if (path !== '' && !isValuePath(path)) yield source
      else yield { source, type: 'variable', name: name.trim(), path }
    } else if (tag !== undefined) yield { source, type: 'tag', tag, closes: slash === '/' }
    else if (href !== undefined) yield { source, type: 'tag', tag: 'a', closes: false, href }
    else if (source.startsWith('<li'))
      yield {
        source,
        type: 'item',
        place: listPlaceOf({ list: number ? 'number' : 'bullet', level: Number(level ?? 0) }),
      }
    else yield ENTITIES[source] ?? source
  }
  if (from < markup.length) yield markup.slice(from)
}
