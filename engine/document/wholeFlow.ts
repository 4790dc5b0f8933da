import type { IdSource } from '../flow/ids'
import { isReference } from '../flow/references'
import type { Registry } from '../flow/registry'
import { type Block, emptyFlow, type Flow } from '../flow/schema'
import type { Json } from '../values/json'
import type { BlockView, Projection } from './commands'
import { groupOrders, putBlock, putGroup, putVariable, setKey } from './editFlow'
import { byOrder, ordersFor } from './order'
import { edgeKey, GONE, type Roots, readBlock, readVariables, variableKey } from './shape'
import { readLanguages, writeLanguages } from './storedTranslations'

/** The flow of a projection: groups by order, edges by source block and port, variables by order. */
export function flowOf(projection: Projection, groupOrder: (groupId: string) => string): Flow {
  const groups = [...projection.groups.values()]
    .map((group) => ({ id: group.id, order: groupOrder(group.id), group }))
    .sort(byOrder)
    .map(({ group }) => ({
      id: group.id,
      title: group.title,
      position: { ...group.position },
      blocks: group.blockIds.flatMap((id) => {
        const block = projection.blocks.get(id)
        return block ? [storedBlock(block)] : []
      }),
    }))
  const rank = new Map(groups.flatMap((group) => group.blocks).map((block, i) => [block.id, i]))
  const edges = [...projection.edges.values()]
    .sort((a, b) => (rank.get(a.from.blockId) ?? 0) - (rank.get(b.from.blockId) ?? 0) || (a.id < b.id ? -1 : 1))
    .map(({ from, to }) => ({ from: { ...from }, to: { ...to } }))
  const { variables, languages } = projection
  const flow = { ...emptyFlow(), groups, edges, variables: variables.map((variable) => ({ ...variable })) }
  return languages ? { ...flow, languages } : flow
}

/** A block as a flow has it. */
export const storedBlock = ({ id, kind, version, data, translations }: BlockView): Block => ({
  id,
  kind,
  version,
  data: data as Record<string, Json>,
  ...(translations && { translations }),
})

/** Makes the document hold exactly this flow; equal parts are not written. */
export function writeFlow(roots: Roots, registry: Registry, flow: Flow): void {
  const groupIds = new Set(flow.groups.map((group) => group.id))
  const blockIds = new Set(flow.groups.flatMap((group) => group.blocks.map((block) => block.id)))
  const edges = new Set(flow.edges.map((edge) => edgeKey(edge.from)))
  const variables = new Set(flow.variables.map((variable) => variable.id))
  for (const id of roots.groups.keys()) if (!groupIds.has(id)) setKey(roots.groups.get(id), GONE, true)
  for (const id of roots.blocks.keys()) if (!blockIds.has(id)) setKey(roots.blocks.get(id), GONE, true)
  for (const key of roots.edges.keys()) if (!edges.has(key)) roots.edges.delete(key)
  for (const { id } of readVariables(roots)) {
    if (!variables.has(id)) setKey(roots.variables, variableKey(id, '-'), true)
  }
  addFlow(roots, registry, flow, [])
  writeLanguages(roots, flow.languages)
}

/** Adds the flow's parts after the present ones; `before` are the groups that come first. */
function addFlow(roots: Roots, registry: Registry, flow: Flow, before: readonly string[]) {
  const presentGroups = groupOrders(roots)
  const groupIds = flow.groups.map((group) => group.id)
  const groupWrites = ordersFor([...before, ...groupIds], presentGroups)
  for (const id of before) {
    const order = groupWrites.get(id)
    if (order !== undefined) setKey(roots.groups.get(id), 'order', order)
  }
  for (const group of flow.groups) {
    putGroup(roots, { ...group, order: groupWrites.get(group.id) ?? (presentGroups.get(group.id) as string) })
    const present = new Map(
      group.blocks.flatMap(({ id }) => {
        const block = readBlock(roots, id)
        return block?.groupId === group.id ? [[id, block.order] as const] : []
      }),
    )
    const orders = ordersFor(
      group.blocks.map((block) => block.id),
      present,
    )
    for (const block of group.blocks) {
      const order = orders.get(block.id) ?? (present.get(block.id) as string)
      putBlock(roots, registry.find(block.kind)?.richTexts ?? [], block, { groupId: group.id, order })
    }
  }
  for (const { from, to } of flow.edges) setKey(roots.edges, edgeKey(from), { ...to })
  const presentVariables = new Map(
    readVariables(roots)
      .sort(byOrder)
      .map(({ id, order }) => [id, order]),
  )
  const wanted = flow.variables.map((variable) => variable.id)
  const isWanted = new Set(wanted)
  const others = [...presentVariables.keys()].filter((id) => !isWanted.has(id))
  const orders = ordersFor([...others, ...wanted], presentVariables)
  for (const { id, name, value } of flow.variables) {
    putVariable(roots, { id, name, value, order: orders.get(id) ?? (presentVariables.get(id) as string) })
  }
}

/**
 * Adds the flow to the right of the present content. Ids that are taken are replaced, variables are matched by name.
 */
export function addFlowBeside(
  roots: Roots,
  registry: Registry,
  flow: Flow,
  projection: Projection,
  ids?: IdSource,
): void {
  const present = [...projection.groups.values()].map((group) => group.position)
  const shift =
    present.length && flow.groups.length
      ? {
          x: Math.max(...present.map(({ x }) => x)) + GAP - Math.min(...flow.groups.map(({ position }) => position.x)),
          y: Math.min(...present.map(({ y }) => y)) - Math.min(...flow.groups.map(({ position }) => position.y)),
        }
      : { x: 0, y: 0 }
  const fresh = new Map<string, string>()
  const taken = (id: string) => roots.groups.has(id) || roots.blocks.has(id) || roots.variables.has(id)
  const renew = (id: string) => {
    if (!taken(id)) return
    let next = ids?.() ?? `${id.slice(0, 56)}-2`
    for (let n = 3; taken(next); n++) next = ids?.() ?? `${id.slice(0, 56)}-${n}`
    fresh.set(id, next)
  }
  const byName = new Map(projection.variables.map((variable) => [variable.name, variable.id]))
  const joined = new Set<string>()
  for (const { id, name } of flow.variables) {
    const same = byName.get(name)
    if (same === undefined) renew(id)
    else {
      joined.add(id)
      if (same !== id) fresh.set(id, same)
    }
  }
  for (const group of flow.groups) {
    renew(group.id)
    for (const block of group.blocks) renew(block.id)
  }
  const variables = flow.variables.filter(({ id }) => !joined.has(id))
  const renamed = renameIds({ ...flow, variables } as unknown as Json, fresh, '') as unknown as Flow
  const groups = renamed.groups.map((group) => ({
    ...group,
    position: { x: group.position.x + shift.x, y: group.position.y + shift.y },
  }))
  addFlow(roots, registry, { ...renamed, groups }, [...groupOrders(roots).keys()])
  addLanguages(roots, flow.languages)
}

/** Of what is added, languages count where its main texts are in the language of those that are there. */
function addLanguages(roots: Roots, added: Flow['languages']): void {
  const present = readLanguages(roots)
  if (!added || (present && present.main !== added.main)) return
  writeLanguages(roots, { main: added.main, others: [...new Set([...(present?.others ?? []), ...added.others])] })
}

/** Distance from the rightmost group to the inserted flow: a group's width and a gap. */
const GAP = 480

/** Replaces ids, both in references and where they are defined. */
function renameIds(value: Json, fresh: ReadonlyMap<string, string>, field: string): Json {
  if (typeof value === 'string') return isReference(field) || OWN_ID.test(field) ? (fresh.get(value) ?? value) : value
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => renameIds(item, fresh, field))
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, renameIds(part, fresh, name)]))
}
const OWN_ID = /^ids?$/
