import { markdownBlocks } from '../chunks/markdownBlocks'
import { sentencesOf } from '../extractive/sentences'
import type { Passage } from '../knowledge'

/** A sentence, an item of a list, or a row of a table. */
export interface Unit {
  text: string
  /** of a row: the names of its columns and the cells */
  row: { names: string[]; cells: string[] } | null
  /** which block of the passage it is in */
  block: number
}
/** A passage without what other pages repeat. */
export interface ReadPassage {
  title: string
  /** the headings below the title, the last one first */
  headings: string[]
  blocks: string[]
  units: Unit[]
  isFaq: boolean
}

const BETWEEN = ' › '

/** Passages taken apart. What stands in passages of several sources too, such as menus and footers, is left out. */
export function readPassages(passages: readonly Passage[]): ReadPassage[] {
  const blocks = passages.map(({ source, text }) => (source.kind === 'faq' ? [text] : blocksOf(text)))
  const sources = new Map<string, Set<string>>()
  for (const [at, passage] of passages.entries())
    for (const block of blocks[at] ?? []) {
      const of = sources.get(block) ?? new Set()
      sources.set(block, of.add(passage.source.gid))
    }
  return passages.map(({ source, heading }, at) => {
    const isFaq = source.kind === 'faq'
    const own = (blocks[at] ?? []).filter((block) => isFaq || sources.get(block)?.size === 1)
    const [title = '', ...headings] = isFaq ? heading.split('\n') : heading.split(BETWEEN)
    return {
      title: isFaq ? '' : title,
      headings: isFaq ? [title, ...headings] : headings.reverse(),
      blocks: own,
      units: own.flatMap((block, number) => unitsOf(block).map((unit) => ({ ...unit, block: number }))),
      isFaq,
    }
  })
}

/** The blocks of a text as they are written. */
function blocksOf(markdown: string): string[] {
  return markdownBlocks(markdown)
    .map((block) => {
      if (block.type === 'list') return block.items.join('\n')
      if (block.type === 'table' || block.type === 'code') return block.lines.join('\n')
      return block.type === 'page' ? '' : block.text
    })
    .filter((text) => text !== '')
}

function unitsOf(block: string): Omit<Unit, 'block'>[] {
  const lines = block.split('\n')
  if (lines.length > 2 && lines.every((line) => line.trimStart().startsWith('|'))) {
    const [names = [], , ...rows] = lines.map(cellsOf)
    return rows.map((cells, at) => ({ text: lines[at + 2] ?? '', row: { names, cells } }))
  }
  return sentencesOf(block).map(({ text }) => ({ text, row: null }))
}

/** The cells of a table's line. */
const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
