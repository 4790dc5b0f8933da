import type { Registry } from '../../../../engine/flow/registry'
import type { Flow } from '../../../../engine/flow/schema'
import type { Change } from '../../../../engine/graph/diff'
import { type FieldChange, fieldChanges } from '../../../../engine/graph/fieldChanges'
import type { Translations } from '../../../../engine/translations/translation'
import type { Json } from '../../../../engine/values/json'
import { languageName } from '../../../../engine/values/languages'
import type { ComparedFlow } from './comparison'

/** A change in the list. */
export interface ChangeItem {
  key: string
  what: 'group' | 'block' | 'edge' | 'variable'
  change: Change
  /** its position differs, in addition to other changes */
  moved: boolean
  /** only a position on the canvas */
  layout: boolean
  /** the group's title, the variable's name */
  name: string
  /** the block's kind */
  kind: string | null
  /** its group, in the merged flow; null for a variable */
  groupId: string | null
  blockId: string | null
  fields: readonly FieldChange[]
}

/** The changes of a flow in canvas order: left to right, top to bottom, variables last. */
export function listChanges({ before, after, diff }: ComparedFlow, registry: Registry): ChangeItem[] {
  const [was, is] = [placesIn(before), placesIn(after)]
  const placeOf = (blockId: string) => is.blocks.get(blockId) ?? was.blocks.get(blockId)
  const titleOf = (groupId: string) => (is.groups.get(groupId) ?? was.groups.get(groupId))?.title ?? ''
  const items: ChangeItem[] = []
  const listed = new Set<string>()
  for (const { id, change, moved, before: old, after: now } of diff.groups) {
    const renamed = old && now && old.title !== now.title
    // a changed set of blocks is listed by its blocks
    if (change === 'changed' && !renamed && !moved) continue
    const layout = moved && !renamed
    items.push({
      ...nothing,
      key: `group ${id}`,
      what: 'group',
      change: layout ? 'moved' : change,
      moved,
      layout,
      name: titleOf(id),
      groupId: id,
      fields: renamed ? [{ path: ['title'], before: old.title, after: now.title }] : [],
    })
    if (change === 'added' || change === 'removed') listed.add(id)
  }
  for (const { id, change, moved, before: old, after: now } of diff.blocks) {
    const block = now ?? old
    // blocks added or removed with their group are not listed
    if (!block || ((change === 'added' || change === 'removed') && listed.has(block.groupId))) continue
    items.push({
      ...nothing,
      key: `block ${id}`,
      what: 'block',
      change,
      moved,
      name: titleOf(block.groupId),
      kind: block.kind,
      groupId: block.groupId,
      blockId: id,
      fields: [
        ...(old && now && old.groupId !== now.groupId
          ? [{ path: ['group'], before: titleOf(old.groupId), after: titleOf(now.groupId) }]
          : []),
        ...(old && now ? fieldChanges(old.data as Json, now.data as Json) : []),
        ...(old && now ? translationChanges(old.translations, now.translations) : []),
      ],
    })
  }
  for (const { id, change, before: old, after: now } of diff.edges) {
    const blockId = (now ?? old)?.from.blockId ?? ''
    const place = placeOf(blockId)
    if (!place || listed.has(place.groupId)) continue
    const goal = (edge: typeof now, places: typeof is) =>
      edge ? (places.groups.get(edge.to.groupId)?.title ?? '') : undefined
    const port = (now ?? old)?.from.portId ?? ''
    const label = registry.portsOf(place.block).find((one) => one.id === port)?.label
    items.push({
      ...nothing,
      key: `edge ${id}`,
      what: 'edge',
      change,
      name: label ?? titleOf(place.groupId),
      kind: place.block.kind,
      groupId: place.groupId,
      blockId,
      fields: [{ path: ['leadsTo'], before: goal(old, was), after: goal(now, is) }],
    })
  }
  const spots = new Map([...was.groups, ...is.groups].map(([id, { position }]) => [id, position.x * 1e6 + position.y]))
  const rank = ({ groupId }: ChangeItem) => spots.get(groupId ?? '') ?? 0
  items.sort((a, b) => rank(a) - rank(b))
  for (const { id, change, moved, before: old, after: now } of diff.variables) {
    items.push({
      ...nothing,
      key: `variable ${id}`,
      what: 'variable',
      change,
      moved,
      layout: change === 'moved',
      name: (now ?? old)?.name ?? '',
      fields:
        old && now
          ? fieldChanges({ name: old.name, value: old.value } as Json, { name: now.name, value: now.value } as Json)
          : [],
    })
  }
  return items
}

/** A translation is told as its text: what it was made of is nobody's to read. */
function translationChanges(before: Translations = {}, after: Translations = {}): FieldChange[] {
  const texts = (translations: Translations): Json =>
    Object.fromEntries(
      Object.entries(translations).map(([code, places]) => [
        languageName(code),
        Object.fromEntries(Object.entries(places).map(([place, { text }]) => [place, text as Json])),
      ]),
    )
  return fieldChanges(texts(before), texts(after))
}

const nothing = { moved: false, layout: false, kind: null, groupId: null, blockId: null, fields: [] } as const

function placesIn({ groups }: Flow) {
  return {
    groups: new Map(groups.map((group) => [group.id, group])),
    blocks: new Map(
      groups.flatMap((group) => group.blocks.map((block) => [block.id, { block, groupId: group.id }] as const)),
    ),
  }
}
