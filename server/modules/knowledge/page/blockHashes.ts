import { createHash } from 'node:crypto'
import { replaceLinks } from '../chunks/links'

/** The most blocks of a page that are compared with those of others. */
const MOST = 400
/** What is shorter is a label, and says the same on many pages by chance. */
const SHORT = 12
const FENCE = /^\s{0,3}(?:```|~~~)/gm
const HEADING = /^#{1,6}\s/

/** Hashes of a page's blocks (paragraphs, lists, tables; no headings and no code), each once. */
export function blockHashes(markdown: string): number[] {
  const hashes = new Set<number>()
  for (const { hash } of blocksOf(markdown)) {
    if (hash !== null) hashes.add(hash)
    if (hashes.size >= MOST) break
  }
  return [...hashes]
}

/**
 * A page without the blocks with these hashes. One of which nothing but headings would be left stays as it is.
 */
export function withoutBlocks(markdown: string, hashes: ReadonlySet<number>): string {
  if (hashes.size === 0) return markdown
  const all = blocksOf(markdown)
  const rest = all.filter(({ hash }) => hash === null || !hashes.has(hash))
  if (rest.length === all.length || !rest.some(({ text }) => !HEADING.test(text) && comparable(text).length >= SHORT))
    return markdown
  return rest.map(({ text }) => text).join('\n\n')
}

interface Block {
  text: string
  /** null: not compared */
  hash: number | null
}

function blocksOf(markdown: string): Block[] {
  let isCode = false
  return markdown.split(/\n{2,}/).map((text) => {
    const wasCode = isCode
    if ((text.match(FENCE)?.length ?? 0) % 2 === 1) isCode = !isCode
    const said = wasCode || isCode || HEADING.test(text) ? '' : comparable(text)
    return { text, hash: said.length < SHORT ? null : hashOf(said) }
  })
}

/** Letters and numbers alone: the same words are the same block, wherever their links lead and however they look. */
const comparable = (block: string): string =>
  replaceLinks(block, (words) => words)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** 48 bits: a number that JSON and PostgreSQL keep. */
const hashOf = (text: string): number => createHash('sha256').update(text).digest().readUIntBE(0, 6)
