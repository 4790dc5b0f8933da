import type { BlockView, FlowCommands, Projection } from '../document/commands'
import type { Registry } from '../flow/registry'
import { flowCaps } from '../flow/schema'
import type { Json } from '../values/json'
import { isChip, type Paragraph, type RichText, type RichTextInline } from '../values/richText'

export interface Search {
  text: string
  matchCase: boolean
  wholeWord: boolean
}

/** A match of the search: in a group's title, or in a text of a block. */
export interface TextMatch {
  readonly groupId: string
  /** absent for the group's title */
  readonly blockId?: string
  /** path in the block's data to the string or the paragraph */
  readonly path: readonly (string | number)[]
  /** the whole line that contains the match; a variable is one character, U+FFFC */
  readonly line: string
  readonly start: number
  readonly end: number
}

/**
 * Finds all matches in texts that people wrote: group titles and texts of blocks, in the order of the groups and their
 * blocks. An empty search finds nothing.
 */
export function findText({ groups, blocks }: Projection, search: Search): TextMatch[] {
  const find = matcher(search)
  if (!find) return []
  const found: TextMatch[] = []
  for (const group of groups.values()) {
    for (const range of find(group.title)) found.push({ groupId: group.id, path: [], line: group.title, ...range })
    for (const blockId of group.blockIds) {
      for (const { path, line } of linesOf(blocks.get(blockId)))
        for (const range of find(line)) found.push({ groupId: group.id, blockId, path, line, ...range })
    }
  }
  return found
}

/**
 * Replaces matches as one undo step; the new text takes over the format of the old one. Searches again, so that what
 * somebody has changed meanwhile is left alone.
 * @param wanted the matches to replace; default: all
 * @returns how many were replaced, and how many group titles were skipped because they would get too long
 */
export function replaceText(
  { projection, commands }: { projection: Projection; commands: FlowCommands },
  registry: Registry,
  search: Search,
  replacement: string,
  wanted: readonly TextMatch[] = findText(projection, search),
): { replaced: number; tooLong: number } {
  const present = new Set(findText(projection, search).map(keyOf))
  const matches = wanted.filter((match) => present.has(keyOf(match)))
  const result = { replaced: 0, tooLong: 0 }
  commands.batch(() => {
    for (const [groupId, ranges] of grouped(
      matches.filter(({ blockId }) => blockId === undefined),
      (one) => one.groupId,
    )) {
      const title = inString(projection.groups.get(groupId)?.title ?? '', ranges, replacement)
      if (title.length > flowCaps.groupTitle) {
        result.tooLong += ranges.length
        continue
      }
      commands.setGroupTitle(groupId, title)
      result.replaced += ranges.length
    }
    for (const [blockId, own] of grouped(matches, (one) => one.blockId)) {
      const block = projection.blocks.get(blockId)
      if (!block) continue
      let data: Json = block.data
      for (const [, ranges] of grouped(own, ({ path }) => JSON.stringify(path)))
        data = changed(data, ranges[0]?.path ?? [], (value) =>
          typeof value === 'string'
            ? inString(value, ranges, replacement)
            : (inParagraph(value as unknown as Paragraph, ranges, replacement) as unknown as Json),
        )
      write(commands, registry, block, data as Record<string, Json>, new Set(own.map(({ path }) => path[0])))
      result.replaced += own.length
    }
  })
  return result
}

/** Rich texts that a kind declares are stored apart from its other data. */
function write(
  commands: FlowCommands,
  registry: Registry,
  block: BlockView,
  data: Record<string, Json>,
  fields: ReadonlySet<string | number | undefined>,
): void {
  const rich = registry.find(block.kind)?.richTexts ?? []
  for (const field of rich)
    if (fields.has(field)) commands.setRichText(block.id, field, data[field] as unknown as RichText)
  if ([...fields].some((field) => !rich.includes(String(field)))) commands.setBlockData(block.id, data)
}

const keyOf = ({ groupId, blockId, path, line, start }: TextMatch): string =>
  JSON.stringify([groupId, blockId ?? null, path, line, start])

type Range = Pick<TextMatch, 'start' | 'end'>

/** Letters and digits of any script, and the underscore. */
const WORD = /[\p{L}\p{N}_]/u

function matcher({ text, matchCase, wholeWord }: Search): ((line: string) => Range[]) | null {
  // lower case may be longer than the original (İ): fold letter by letter, so that positions stay valid
  const fold = (value: string) =>
    matchCase ? value : Array.from(value, (letter) => fitting(letter.toLowerCase(), letter)).join('')
  const wanted = fold(text)
  if (wanted === '') return null
  return (line) => {
    const folded = fold(line)
    const ranges: Range[] = []
    for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + 1)) {
      const range = { start: at, end: at + wanted.length }
      if (wholeWord && !standsAlone(line, range)) continue
      ranges.push(range)
      at = range.end - 1
    }
    return ranges
  }
}

const fitting = (lower: string, letter: string): string => (lower.length === letter.length ? lower : letter)

const standsAlone = (line: string, { start, end }: Range): boolean =>
  !WORD.test(line.slice(0, start).at(-1) ?? '') && !WORD.test(line[end] ?? '')

/** Fields that hold an id or a choice of the form, not text that people wrote. */
const CHOSEN = /^(id|.*Ids?|.*_id|type|mode|match|operator|saveTo|kind|product|format|method|unit|list|color|icon)$/

const CHIP = '\uFFFC'

/** The strings and paragraphs that people wrote into a block, each as a line. */
function linesOf(block: BlockView | undefined): { path: (string | number)[]; line: string }[] {
  const lines: { path: (string | number)[]; line: string }[] = []
  const collect = (value: Json, path: (string | number)[]) => {
    if (typeof value === 'string') lines.push({ path, line: value })
    else if (Array.isArray(value)) for (const [index, item] of value.entries()) collect(item, [...path, index])
    else if (isParagraph(value)) lines.push({ path, line: lineOf(value) })
    else if (value && typeof value === 'object')
      for (const [key, item] of Object.entries(value)) if (!CHOSEN.test(key)) collect(item, [...path, key])
  }
  if (block) collect(block.data, [])
  return lines
}

const isParagraph = (value: unknown): value is Paragraph =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'paragraph' && 'children' in value

const lineOf = ({ children }: Paragraph): string =>
  children.map((child) => (isChip(child) ? CHIP : child.text)).join('')

const inString = (text: string, ranges: readonly Range[], replacement: string): string =>
  [...ranges]
    .sort((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + replacement + rest.slice(end), text)

function inParagraph(paragraph: Paragraph, ranges: readonly Range[], replacement: string): Paragraph {
  return {
    ...paragraph,
    children: [...ranges]
      .sort((a, b) => b.start - a.start)
      .reduce((children, range) => cut(children, range, replacement), paragraph.children),
  }
}

/** Replaces a range; the replacement joins the piece where the range starts. */
function cut(children: readonly RichTextInline[], { start, end }: Range, replacement: string): RichTextInline[] {
  let at = 0
  let placed = false
  return children.flatMap((child) => {
    const from = at
    at += isChip(child) ? 1 : child.text.length
    if (at <= start || from >= end || isChip(child)) return [child]
    const kept = child.text.slice(0, Math.max(0, start - from))
    const rest = child.text.slice(Math.max(0, end - from))
    const text = kept + (placed ? '' : replacement) + rest
    placed = true
    return [{ ...child, text }]
  })
}

/** A copy with one place changed. */
function changed(value: Json, path: readonly (string | number)[], change: (value: Json) => Json): Json {
  const [key, ...rest] = path
  if (key === undefined) return change(value)
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? changed(item, rest, change) : item))
  const object = value as Record<string, Json>
  return { ...object, [key]: changed(object[key] ?? null, rest, change) }
}

function grouped<Item, Key>(items: readonly Item[], by: (item: Item) => Key | undefined): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = by(item)
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return groups
}
