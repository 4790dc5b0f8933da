import type { TextLeaf } from '../model'
import { inlineTokens } from './inlineTokens'

type Marks = Omit<TextLeaf, 'text'>

/** The deepest nesting; a link with bold and italic is three levels. */
const DEEPEST = 8

/** A line of Markdown as formatted texts. Unsupported syntax such as code stays literal. */
export function readInlines(text: string, marks: Marks = {}, depth = 0): TextLeaf[] {
  const leaves: TextLeaf[] = []
  let from = 0
  for (const token of depth < DEEPEST ? inlineTokens(text) : []) {
    leaves.push({ text: text.slice(from, token.at), ...marks })
    from = token.end
    const { as, inner, target = '' } = token
    if (as === 'link') leaves.push(...readInlines(inner, { ...marks, link: unescaped(target) }, depth + 1))
    else if (as === 'bold' || as === 'italic') leaves.push(...readInlines(inner, { ...marks, [as]: true }, depth + 1))
    else leaves.push({ text: inner, ...marks })
  }
  leaves.push({ text: text.slice(from), ...marks })
  return joinLeaves(leaves)
}

const unescaped = (text: string) => text.replace(/\\([!-/:-@[-`{-~])/g, '$1')

const lookOf = ({ bold, italic, link }: TextLeaf) => `${bold ?? ''} ${italic ?? ''} ${link ?? ''}`

/** Joins equally formatted neighbours; none is empty unless it is the only one. */
export function joinLeaves(leaves: readonly TextLeaf[]): TextLeaf[] {
  const joined: TextLeaf[] = []
  for (const { text, bold, italic, link } of leaves) {
    const leaf: TextLeaf = { text, ...(bold && { bold }), ...(italic && { italic }), ...(link && { link }) }
    const last = joined.at(-1)
    if (last && lookOf(last) === lookOf(leaf)) last.text += text
    else if (text !== '') joined.push(leaf)
  }
  return joined.length > 0 ? joined : [{ text: '' }]
}

/** The inverse of readInlines. */
export function writeInlines(children: readonly TextLeaf[]): string {
  const leaves = joinLeaves(spacesInside(children.flatMap(spacesOutside)))
  const [only, ...others] = leaves
  if (only && others.length === 0 && lookOf(only) === lookOf({ text: '' }))
    return isPlain(only.text) ? only.text : escaped(only.text)
  return writeLinks(leaves)
}

const isPlain = (text: string) => {
  const [only, ...others] = readInlines(text)
  // at the end of a line it would mean a line break
  if (/\\\s*(\n|$)/.test(text)) return false
  return others.length === 0 && only?.text === text && lookOf(only) === lookOf({ text: '' })
}

const escaped = (text: string) => text.replace(/[\\`*[\]]|_(?!(?<=\w_)\w)/g, '\\$&')

/** Moves spaces out of formatting: Markdown's delimiters can't be next to spaces. */
function spacesOutside({ text, ...marks }: TextLeaf): TextLeaf[] {
  const words = text.trim()
  if (words === '') return [{ text }]
  const start = text.length - text.trimStart().length
  return [{ text: text.slice(0, start) }, { text: words, ...marks }, { text: text.slice(start + words.length) }]
}

/** Formats a space between two words with the same formatting. */
const spacesInside = (given: readonly TextLeaf[]): TextLeaf[] => {
  const leaves = joinLeaves(given)
  return leaves.map((leaf, at) => {
    const [before, after] = [leaves[at - 1], leaves[at + 1]]
    if (leaf.text.trim() !== '' || !before || !after) return leaf
    return {
      ...leaf,
      ...(before.bold && after.bold && before.link === after.link && { bold: true as const }),
      ...(before.link && before.link === after.link && { link: before.link }),
    }
  })
}

function writeLinks(leaves: readonly TextLeaf[]): string {
  return runs(leaves, ({ link }) => link)
    .map(([link, run]) => {
      const words = writeBold(run)
      if (link === undefined) return words
      return `[${words}](${/[\s()\\<>]/.test(link) ? `<${link.replace(/[<>\n]/g, encodeURIComponent)}>` : link})`
    })
    .join('')
}

function writeBold(leaves: readonly TextLeaf[]): string {
  const parts = runs(leaves, ({ bold }) => bold)
  return parts
    .map(([bold, run], at) => {
      const around = { before: at > 0 || bold ? '*' : '', after: at < parts.length - 1 || bold ? '*' : '' }
      return bold ? `**${writeItalic(run, around)}**` : writeItalic(run, around)
    })
    .join('')
}

/** Uses `_` if an asterisk would be adjacent to another; if that is inside a word, the formatting is dropped. */
function writeItalic(leaves: readonly TextLeaf[], around: { before: string; after: string }): string {
  const texts = leaves.map(({ text }) => escaped(text))
  return leaves
    .map(({ italic }, at) => {
      const text = texts[at] ?? ''
      if (!italic) return text
      const before = at > 0 ? (texts[at - 1]?.at(-1) ?? '') : around.before
      const after = at < leaves.length - 1 ? (texts[at + 1]?.[0] ?? '') : around.after
      if (before !== '*' && after !== '*') return `*${text}*`
      return /\w/.test(before + after) ? text : `_${text}_`
    })
    .join('')
}

function runs<Key>(leaves: readonly TextLeaf[], keyOf: (leaf: TextLeaf) => Key): [key: Key, run: TextLeaf[]][] {
  const found: [Key, TextLeaf[]][] = []
  for (const leaf of leaves) {
    const last = found.at(-1)
    if (last && last[0] === keyOf(leaf)) last[1].push(leaf)
    else found.push([keyOf(leaf), [leaf]])
  }
  return found
}
