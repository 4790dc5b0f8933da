import { z } from 'zod'
import type { Projection } from '../../../engine/document/commands'
import type { FlowDocument } from '../../../engine/document/flowDocument'
import { storedBlock } from '../../../engine/document/wholeFlow'
import type { IdSource } from '../../../engine/flow/ids'
import { migrateBlock } from '../../../engine/flow/migrate'
import { renameReferences } from '../../../engine/flow/references'
import type { Registry } from '../../../engine/flow/registry'
import {
  type Block,
  blockSchema,
  edgeSchema,
  flowCaps,
  type Group,
  groupSchema,
  variableSchema,
} from '../../../engine/flow/schema'
import type { Json } from '../../../engine/values/json'
import { isReservedId } from '../../../engine/values/systemVariables'

export const CLIP_FORMAT = 'parley-clip'
export const CLIP_VERSION = 1

/**
 * A piece of a flow on the clipboard: whole groups and single blocks, the edges among them, and the variables that they
 * use.
 */
const clipSchema = z
  .strictObject({
    format: z.literal(CLIP_FORMAT),
    version: z.literal(CLIP_VERSION),
    /** the flow it was copied from: only there are its variables matched by id; null if unknown */
    flow: z.string().max(64).nullable(),
    groups: z.array(groupSchema),
    blocks: z.array(blockSchema),
    edges: z.array(edgeSchema),
    variables: z.array(variableSchema),
  })
  .refine((clip) => isUnique([...clip.groups, ...blocksOf(clip)]) && isUnique(clip.variables))
export type Clip = z.infer<typeof clipSchema>

/** The source or target flow of a clip. */
export interface ClipEnd {
  document: Pick<FlowDocument, 'projection'>
  registry: Registry
  flowId?: string | undefined
}

/** Copies groups and blocks; a block of a copied group is not copied twice. Null if there is nothing to copy. */
export function clipOf(
  { document, flowId }: ClipEnd,
  groupIds: ReadonlySet<string>,
  blockIds: ReadonlySet<string>,
): Clip | null {
  const projection = document.projection()
  const block = (id: string): Block[] => {
    const view = projection.blocks.get(id)
    return view ? [structuredClone(storedBlock(view))] : []
  }
  const groups = [...projection.groups.values()]
    .filter((group) => groupIds.has(group.id))
    .map((group) => ({
      id: group.id,
      title: group.title,
      position: { ...group.position },
      blocks: group.blockIds.flatMap(block),
    }))
  const blocks = [...projection.groups.values()]
    .filter((group) => !groupIds.has(group.id))
    .flatMap((group) => group.blockIds.filter((id) => blockIds.has(id)))
    .flatMap(block)
  if (groups.length === 0 && blocks.length === 0) return null
  const copied = blocksOf({ groups, blocks })
  const own = new Set(copied.map(({ id }) => id))
  const edges = [...projection.edges.values()]
    .filter(
      ({ from, to }) =>
        own.has(from.blockId) && groupIds.has(to.groupId) && (to.blockId === undefined || own.has(to.blockId)),
    )
    .map(({ from, to }) => structuredClone({ from, to }))
  const named = namedIn(copied)
  const variables = structuredClone(projection.variables.filter(({ id }) => named.has(id)))
  return { format: CLIP_FORMAT, version: CLIP_VERSION, flow: flowId ?? null, groups, blocks, edges, variables }
}

/** Parses a clip; null if invalid. */
export const parseClip = (value: unknown): Clip | null => clipSchema.safeParse(value).data ?? null

/** A clip adapted to a flow. */
export interface FittedClip {
  /** `variables` are those to be created */
  clip: Clip
  /** how many references to missing intents were removed from questions */
  lostIntents: number
}

/**
 * Adapts a clip to a flow: new ids for groups and blocks, migrated blocks, variables matched by name, references within
 * the clip renamed. Ids inside a block stay. References to anything else that the flow lacks stay too, for the checker
 * to report: pasting back restores them.
 */
export function fitClip(clip: Clip, into: ClipEnd, newId: IdSource): FittedClip {
  const projection = into.document.projection()
  const { ids, missing } = joinVariables(clip, projection, into.flowId, newId)
  for (const { id } of [...clip.groups, ...blocksOf(clip)]) ids.set(id, newId())
  let lostIntents = 0
  const renew = (id: string): string => ids.get(id) ?? id
  const listed = (id: string): string | null => {
    const found = ids.get(id) ?? (isThere(id, projection) ? id : null)
    if (found === null) lostIntents += 1
    return found
  }
  const block = (old: Block): Block => {
    const present = migrated(old, into.registry)
    // the lists of an unknown kind can't be interpreted, so nothing is removed
    const rename = into.registry.find(old.kind)
      ? (id: string, inList: boolean) => (inList ? listed(id) : renew(id))
      : renew
    const { translations } = present
    return {
      ...present,
      id: renew(old.id),
      data: renameReferences(present.data, rename) as Block['data'],
      ...(translations && { translations: renameReferences(translations as Json, rename) as typeof translations }),
    }
  }
  const groups = clip.groups.map((group) => ({ ...group, id: renew(group.id), blocks: group.blocks.map(block) }))
  const blocks = clip.blocks.map(block)
  const edges = clip.edges
    .filter(({ from, to }) => ids.has(from.blockId) && ids.has(to.groupId))
    .map(({ from, to }) => ({
      from: { ...from, blockId: renew(from.blockId) },
      to: { groupId: renew(to.groupId), ...(to.blockId !== undefined && { blockId: renew(to.blockId) }) },
    }))
  return { clip: { ...clip, groups, blocks, edges, variables: missing }, lostIntents }
}

/** The cap that would be exceeded. */
export interface Excess {
  what: 'groups' | 'blocks' | 'edges' | 'variables'
  count: number
  cap: number
}

/** Which cap of a flow the clip would exceed; null if it fits. */
export function excessOf(clip: Clip, projection: Projection, newGroups = 0): Excess | null {
  const counts = {
    groups: projection.groups.size + clip.groups.length + newGroups,
    blocks: projection.blocks.size + blocksOf(clip).length,
    edges: projection.edges.size + clip.edges.length,
    variables: projection.variables.length + clip.variables.length,
  }
  for (const what of ['groups', 'blocks', 'edges', 'variables'] as const)
    if (counts[what] > flowCaps[what]) return { what, count: counts[what], cap: flowCaps[what] }
  return null
}

export const blocksOf = ({ groups, blocks }: { groups: readonly Group[]; blocks: readonly Block[] }): Block[] => [
  ...groups.flatMap((group) => group.blocks),
  ...blocks,
]

/** The clip's variables by id in the flow, and those to be created. */
function joinVariables(clip: Clip, { variables }: Projection, flowId: string | undefined, newId: IdSource) {
  const ids = new Map<string, string>()
  const missing: Clip['variables'] = []
  const present = new Set(variables.map(({ id }) => id))
  const byName = new Map(variables.map(({ id, name }) => [name.toLowerCase(), id]))
  const isHome = clip.flow !== null && clip.flow === flowId
  for (const variable of clip.variables) {
    const name = variable.name.toLowerCase()
    let id = isHome && present.has(variable.id) ? variable.id : byName.get(name)
    if (id === undefined) {
      id = present.has(variable.id) || isReservedId(variable.id) ? newId() : variable.id
      missing.push({ ...variable, id })
      present.add(id)
      byName.set(name, id)
    }
    ids.set(variable.id, id)
  }
  return { ids, missing }
}

/** Migrated to the present version of its kind, if possible. */
function migrated(block: Block, registry: Registry): Block {
  const definition = registry.find(block.kind)
  try {
    return definition ? migrateBlock(block, definition) : block
  } catch {
    return block
  }
}

/** All ids that these blocks refer to. */
function namedIn(blocks: readonly Block[]): Set<string> {
  const named = new Set<string>()
  for (const { data, translations = {} } of blocks)
    renameReferences([data, translations as Json], (id) => {
      named.add(id)
      return id
    })
  return named
}

const isThere = (id: string, { groups, blocks }: Projection): boolean => groups.has(id) || blocks.has(id)

const isUnique = (things: readonly { id: string }[]): boolean =>
  new Set(things.map(({ id }) => id)).size === things.length
