import type { BlockView, GroupView, Projection } from '../../../engine/document/commands'
import type { Registry } from '../../../engine/flow/registry'
import type { Json } from '../../../engine/values/json'
import { type RichText, richTextToString } from '../../../engine/values/richText'
import { readingOrder } from '../elements'
import { excerpt, fold, matchNames, type Range, scoreText, wordsOf } from './match'

export interface FoundGroup {
  group: GroupView
  score: number
  ranges: readonly Range[]
}
export interface FoundBlock {
  block: BlockView
  group: GroupView
  score: number
  /** what it says, around the match; empty for a block without texts */
  line: string
  ranges: readonly Range[]
}

export interface FlowIndex {
  /** groups by their titles, best first */
  groups(search: string, limit: number): FoundGroup[]
  /** blocks by their kinds and texts, best first, then as one reads the flow */
  blocks(search: string, limit: number): FoundBlock[]
  /** what a block says, in one string */
  textOf(block: BlockView): string
}

/**
 * Finds groups and blocks of a flow. What it knows of a block it keeps as long as the block does not change, so that a large flow is read
 * once: at the first search, not before.
 *
 * @param kindTitle what a kind is called in the interface's language
 */
export function createFlowIndex(
  read: () => Projection,
  registry: Registry,
  kindTitle: (kind: string) => string,
): FlowIndex {
  const texts = new WeakMap<BlockView, { text: string; folded: string }>()
  let named: { variables: Projection['variables']; names: Map<string, string> } | undefined
  let ordered: { groups: Projection['groups']; list: GroupView[] } | undefined
  let known: { projection: Projection; blocks: BlockView[] } | undefined

  function entry(block: BlockView) {
    let found = texts.get(block)
    if (!found) {
      const text = textsOf(block, registry, (id) => named?.names.get(id) ?? '').join(' · ')
      found = { text, folded: fold(`${text} ${kindTitle(block.kind)}`) }
      texts.set(block, found)
    }
    return found
  }

  function groupsOf({ groups }: Projection): GroupView[] {
    if (ordered?.groups !== groups)
      ordered = { groups, list: readingOrder(groups).flatMap((id) => groups.get(id) ?? []) }
    return ordered.list
  }

  function refresh(projection: Projection) {
    if (named?.variables !== projection.variables)
      named = {
        variables: projection.variables,
        names: new Map(projection.variables.map(({ id, name }) => [id, name])),
      }
    if (known?.projection !== projection)
      known = {
        projection,
        blocks: groupsOf(projection).flatMap((group) =>
          group.blockIds.flatMap((id) => projection.blocks.get(id) ?? []),
        ),
      }
    return known.blocks
  }

  return {
    groups: (search, limit) =>
      matchNames(groupsOf(read()), search, (group) => group.title, limit).map(({ item, ...found }) => ({
        group: item,
        ...found,
      })),
    blocks(search, limit) {
      const words = wordsOf(search)
      const found: { block: BlockView; score: number }[] = []
      const projection = read()
      const { groups } = projection
      for (const block of refresh(projection)) {
        const score = scoreText(entry(block).folded, words)
        if (score > 0) found.push({ block, score })
      }
      return found
        .sort((a, b) => b.score - a.score)
        .slice(0, limit)
        .flatMap((one) => {
          const group = groups.get(one.block.groupId)
          return group ? [{ ...one, group, ...excerpt(entry(one.block).text, words) }] : []
        })
    },
    textOf(block) {
      refresh(read())
      return entry(block).text
    },
  }
}

/** What people have written into a block: rich texts, labels, addresses; not ids and not what they chose from a list. */
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

/** fields that hold an id or one of a few words that the form offers */
const CHOSEN = /^(id|.*Ids?|.*_id|type|mode|match|operator|saveTo|kind|product|format|method|unit)$/

const isRichText = (value: readonly Json[]): boolean => {
  const [first] = value
  return typeof first === 'object' && first !== null && 'type' in first && first.type === 'paragraph'
}

const richText = (value: Json | undefined, variable: (id: string) => string): string =>
  Array.isArray(value) ? richTextToString(value as unknown as RichText, variable) : ''
