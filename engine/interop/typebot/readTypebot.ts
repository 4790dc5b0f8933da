import { EngineError } from '../../errors'
import { flowCaps } from '../../flow/schema'
import { type Fields, fieldsOf, isFields, listOf, numberOf, stringOf, textOf } from '../fields'

/** A file's skeleton in one shape for all versions of the format. */
export interface TypebotFile {
  version: string
  groups: TypebotGroup[]
  edges: Map<string, TypebotEdge>
  variables: { id: string; name: string; value: unknown }[]
  /** events other than the start, by type */
  otherEvents: string[]
}

export interface TypebotGroup {
  id: string
  title: string
  /** null: the file has no usable position */
  position: { x: number; y: number } | null
  blocks: TypebotBlock[]
}

export interface TypebotBlock {
  id: string
  type: string
  /** the block as in the file, with unique item ids */
  fields: Fields
  outgoingEdgeId: string | undefined
  items: { id: string; outgoingEdgeId: string | undefined }[]
}

export interface TypebotEdge {
  id: string
  from: { blockId: string | undefined; exitId: string | undefined }
  to: { groupId: string | undefined; blockId: string | undefined }
}

/**
 * Reads versions 3 to 6.1 and files without a version. Wrong types in the skeleton (groups, blocks, edges, variables)
 * throw IMPORT_UNREADABLE with their path; a missing id, edge or position is repaired by its user.
 */
export function readTypebot(file: Fields): TypebotFile {
  // some older files store requests beside the blocks that make them
  const requests = new Map(listOf(file.webhooks).map((request) => [stringOf(fieldsOf(request).id), fieldsOf(request)]))
  const groups = objects(file, 'groups' in file ? 'groups' : 'blocks', '').map(({ value, path }) =>
    readGroup(value, path, requests),
  )
  const edges = objects(file, 'edges', '').map(({ value }, index) => readEdge(value, index))
  const variables = objects(file, 'variables', '').map(({ value }) => ({
    id: textOf(value.id),
    name: textOf(value.name),
    value: value.value,
  }))
  const events = objects(file, 'events', '').map(({ value }) => value)
  const start = events.filter((event) => event.type === 'start')
  return {
    version: textOf(file.version),
    groups: [...start.map(startGroup), ...groups],
    // of two edges with one id the product follows the first
    edges: new Map(edges.toReversed().map((edge) => [edge.id, edge])),
    variables,
    otherEvents: events.filter((event) => event.type !== 'start').map((event) => textOf(event.type) || 'unknown'),
  }
}

/**
 * Since version 6 the start is an event beside the groups; before, it was a block in its own group. Here it is always
 * the latter.
 */
function startGroup(event: Fields): TypebotGroup {
  const block = { ...event, id: textOf(event.id), type: 'start' }
  return { id: '', title: 'Start', position: readPosition(event.graphCoordinates), blocks: [readBlock(block)] }
}

type Requests = ReadonlyMap<string | undefined, Fields>

function readGroup(group: Fields, path: string, requests: Requests): TypebotGroup {
  return {
    id: textOf(group.id),
    title: textOf(group.title),
    position: readPosition(group.graphCoordinates),
    blocks: objects(group, 'blocks' in group ? 'blocks' : 'steps', path).map(({ value }) => {
      const request = value.webhook ? undefined : requests.get(stringOf(value.webhookId))
      return readBlock(request ? { ...value, webhook: request } : value)
    }),
  }
}

function readBlock(block: Fields): TypebotBlock {
  const seen = new Set<string>()
  const items = listOf(block.items)
    .filter(isFields)
    .map((item, index) => {
      const id = textOf(item.id)
      const unique = id === '' || seen.has(id) ? `${id}#${index}` : id
      seen.add(unique)
      return { ...item, id: unique }
    })
  return {
    id: textOf(block.id),
    type: textOf(block.type) || 'unknown',
    fields: Array.isArray(block.items) ? { ...block, items } : block,
    outgoingEdgeId: stringOf(block.outgoingEdgeId),
    // the buttons of a card are paths of its item
    items: items
      .flatMap((item) => [item, ...listOf(fieldsOf(item).paths).filter(isFields)])
      .map((exit) => ({ id: textOf(exit.id), outgoingEdgeId: stringOf(fieldsOf(exit).outgoingEdgeId) })),
  }
}

function readEdge(edge: Fields, index: number): TypebotEdge {
  const from = fieldsOf(edge.from)
  const to = fieldsOf(edge.to)
  const older = 'stepId' in from || 'stepId' in to || !('groupId' in to)
  return {
    id: stringOf(edge.id) ?? `#${index}`,
    from: {
      blockId: stringOf(from.stepId ?? from.blockId ?? from.eventId),
      exitId: stringOf(from.pathId ?? from.itemId),
    },
    to: older
      ? { groupId: stringOf(to.groupId ?? to.blockId), blockId: stringOf(to.stepId) }
      : { groupId: stringOf(to.groupId), blockId: stringOf(to.blockId) },
  }
}

function readPosition(value: unknown): { x: number; y: number } | null {
  const x = numberOf(fieldsOf(value).x)
  const y = numberOf(fieldsOf(value).y)
  return x === undefined || y === undefined ? null : { x, y }
}

/** The objects of a list; empty if absent. */
function objects(holder: Fields, key: string, path: string): { value: Fields; path: string }[] {
  const list = holder[key] ?? []
  const here = path ? `${path}.${key}` : key
  if (!Array.isArray(list)) throw new EngineError('IMPORT_UNREADABLE', `'${here}' must be a list.`)
  const most =
    key === 'edges'
      ? flowCaps.edges
      : key === 'variables'
        ? flowCaps.variables
        : path
          ? flowCaps.blocks
          : flowCaps.groups
  if (list.length > most)
    throw new EngineError('IMPORT_UNREADABLE', `'${here}' has ${list.length} entries, at most ${most} fit.`)
  return list.map((value, index) => {
    if (!isFields(value)) throw new EngineError('IMPORT_UNREADABLE', `'${here}[${index}]' must be an object.`)
    return { value, path: `${here}[${index}]` }
  })
}
