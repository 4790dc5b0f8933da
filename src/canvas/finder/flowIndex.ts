import type { BlockView, GroupView, Projection } from '../../../engine/document/commands'
import type { Registry } from '../../../engine/flow/registry'
import type { Json } from '../../../engine/values/json'
import { type RichText, richTextToString } from '../../../engine/values/richText'
import { excerpt, fold, matchNames, type Range, scoreText, searchWords } from '../../ui/finder/match'
import { readingOrder } from '../elements'

export interface FoundGroup {
  group: GroupView
  score: number
  ranges: readonly Range[]
}
export interface FoundBlock {
  block: BlockView
  group: GroupView
  score: number
  /** the text around the match; empty for a block without texts */
  line: string
  ranges: readonly Range[]
}

export interface FlowIndex {
  /** groups by title, best first */
  groups(search: string, limit: number): FoundGroup[]
  /** blocks by kind and texts, best first, then in reading order */
  blocks(search: string, limit: number): FoundBlock[]
  /** a block's texts as one string */
  textOf(block: BlockView): string
  /** indexes for some milliseconds in advance; true when complete */
  prepare(milliseconds: number): boolean
}

interface Entry {
  block: BlockView
  text: string
  /** with the kind, folded for searching */
  folded: string
}

/**
 * Searches a flow's groups and blocks. A block's text is cached while the block is unchanged. A search that extends the
 * previous one only scans its results.
 *
 * @param kindTitle a kind's title in the interface's language
 */
export function createFlowIndex(
  read: () => Projection,
  registry: Registry,
  kindTitle: (kind: string) => string,
): FlowIndex {
  let entries = new WeakMap<BlockView, Entry>()
  let named: { variables: Projection['variables']; names: ReadonlyMap<string, string> } | undefined
  let ordered: { groups: Projection['groups']; list: readonly GroupView[] } | undefined
  let known: { projection: Projection; entries: readonly Entry[] } | undefined
  let latest: { of: readonly Entry[]; search: string; found: readonly Entry[] } | undefined
  const kinds = new Map<string, string>()

  function entry(block: BlockView): Entry {
    let found = entries.get(block)
    if (!found) {
      const title = kinds.get(block.kind) ?? kindTitle(block.kind)
      kinds.set(block.kind, title)
      const text = textsOf(block, registry, (id) => named?.names.get(id) ?? '').join(' · ')
      found = { block, text, folded: fold(`${text} ${title}`) }
      entries.set(block, found)
    }
    return found
  }

  function groupsOf({ groups }: Projection): readonly GroupView[] {
    if (ordered?.groups !== groups)
      ordered = { groups, list: readingOrder(groups).flatMap((id) => groups.get(id) ?? []) }
    return ordered.list
  }

  /** true if names of variables have changed */
  function readNames({ variables }: Projection): boolean {
    if (named?.variables === variables) return false
    const before = named?.names
    named = { variables, names: new Map(variables.map(({ id, name }) => [id, name])) }
    const renamed = before !== undefined && [...before].some(([id, name]) => named?.names.get(id) !== name)
    if (renamed) entries = new WeakMap()
    return renamed
  }

  function blocksIn(projection: Projection): BlockView[] {
    const list: BlockView[] = []
    for (const { blockIds } of groupsOf(projection))
      for (const id of blockIds) {
        const block = projection.blocks.get(id)
        if (block) list.push(block)
      }
    return list
  }

  function entriesOf(projection: Projection): readonly Entry[] {
    const before = readNames(projection) ? undefined : known
    if (before?.projection === projection) return before.entries
    const read =
      before?.projection.groups === projection.groups
        ? before.entries.map((one) => {
            const block = projection.blocks.get(one.block.id)
            return block && block !== one.block ? entry(block) : one
          })
        : blocksIn(projection).map(entry)
    known = { projection, entries: read }
    return read
  }

  return {
    groups: (search, limit) =>
      matchNames(groupsOf(read()), search, (group) => group.title, limit).map(({ item, ...found }) => ({
        group: item,
        ...found,
      })),
    blocks(search, limit) {
      const projection = read()
      const all = entriesOf(projection)
      const words = searchWords(search)
      const narrower = latest && latest.of === all && search.startsWith(latest.search)
      const scores = new Map<number, Entry[]>()
      const found: Entry[] = []
      for (const one of narrower && latest ? latest.found : all) {
        const score = scoreText(one.folded, words)
        if (score === 0) continue
        found.push(one)
        const equal = scores.get(score)
        if (equal) equal.push(one)
        else scores.set(score, [one])
      }
      latest = { of: all, search, found }
      return [...scores]
        .sort(([a], [b]) => b - a)
        .flatMap(([score, equal]) => equal.slice(0, limit).map((one) => ({ score, ...one })))
        .slice(0, limit)
        .flatMap(({ block, text, score }) => {
          const group = projection.groups.get(block.groupId)
          return group ? [{ block, group, score, ...excerpt(text, words) }] : []
        })
    },
    textOf(block) {
      readNames(read())
      return entry(block).text
    },
    prepare(milliseconds) {
      const projection = read()
      readNames(projection)
      const until = performance.now() + milliseconds
      for (const block of projection.blocks.values()) {
        if (entries.has(block)) continue
        entry(block)
        if (performance.now() >= until) return false
      }
      return true
    },
  }
}

/** Text that people wrote into a block: rich texts, labels, addresses; neither ids nor choices. */
function textsOf(block: BlockView, registry: Registry, variable: (id: string) => string): string[] {
  const rich = new Set<string>(registry.find(block.kind)?.richTexts ?? [])
  return Object.entries(block.data)
    .flatMap(([key, value]) => (rich.has(key) ? [richText(value, variable)] : stringsIn(key, value, variable)))
    .filter((text) => text.trim() !== '')
}

function stringsIn(key: string, value: Json, variable: (id: string) => string): string[] {
  if (typeof value === 'string') return CHOSEN.test(key) ? [] : [value]
  if (Array.isArray(value)) {
    if (isRichText(value)) return [richText(value, variable)]
    return value.flatMap((item) => stringsIn(key, item, variable))
  }
  if (value && typeof value === 'object')
    return Object.entries(value).flatMap(([inner, item]) => stringsIn(inner, item, variable))
  return []
}

/** fields with an id or a choice of the form */
const CHOSEN = /^(id|.*Ids?|.*_id|type|mode|match|operator|saveTo|kind|product|format|method|unit)$/

const isRichText = (value: readonly Json[]): boolean => {
  const [first] = value
  return typeof first === 'object' && first !== null && 'type' in first && first.type === 'paragraph'
}

const richText = (value: Json | undefined, variable: (id: string) => string): string =>
  Array.isArray(value) ? richTextToString(value as unknown as RichText, variable) : ''
