import { z } from 'zod'
import type { Projection } from '../../engine/document/commands'
import type { IdSource } from '../../engine/flow/ids'
import { blockSchema, edgeSchema, groupSchema, variableSchema } from '../../engine/flow/schema'
import type { Json } from '../../engine/values/json'

/** What the clipboard holds: whole groups and single blocks, the edges among them, and the variables of the flow. */
const clipSchema = z.strictObject({
  format: z.literal('parley-clip'),
  groups: z.array(groupSchema),
  blocks: z.array(blockSchema),
  edges: z.array(edgeSchema),
  variables: z.array(variableSchema),
})
export type Clip = z.infer<typeof clipSchema>

/** Copies groups and blocks; a block of a copied group is copied with it, not twice. Null when there is nothing to copy. */
export function clipOf(
  projection: Projection,
  groupIds: ReadonlySet<string>,
  blockIds: ReadonlySet<string>,
): Clip | null {
  const block = (id: string): Clip['blocks'] => {
    const view = projection.blocks.get(id)
    return view ? [structuredClone({ id: view.id, kind: view.kind, version: view.version, data: view.data })] : []
  }
  const groups = [...projection.groups.values()]
    .filter((group) => groupIds.has(group.id))
    .map((group) => ({
      id: group.id,
      title: group.title,
      position: { ...group.position },
      blocks: group.blockIds.flatMap(block),
    }))
  const loose = [...projection.groups.values()]
    .filter((group) => !groupIds.has(group.id))
    .flatMap((group) => group.blockIds.filter((id) => blockIds.has(id)))
    .flatMap(block)
  if (groups.length === 0 && loose.length === 0) return null
  const own = new Set([...groups.flatMap((group) => group.blocks), ...loose].map(({ id }) => id))
  const edges = [...projection.edges.values()]
    .filter(
      ({ from, to }) =>
        own.has(from.blockId) && groupIds.has(to.groupId) && (to.blockId === undefined || own.has(to.blockId)),
    )
    .map(({ from, to }) => structuredClone({ from, to }))
  return { format: 'parley-clip', groups, blocks: loose, edges, variables: structuredClone([...projection.variables]) }
}

/** Reads a clip from the clipboard's text; null for anything else. */
export function parseClip(text: string): Clip | null {
  try {
    return clipSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** The same clip with new ids for groups and blocks, also where data names them (go to). Ids inside a block stay: they are its own. */
export function cloneClip(clip: Clip, newId: IdSource): Clip {
  const ids = new Map<string, string>()
  for (const group of clip.groups) ids.set(group.id, newId())
  for (const { id } of [...clip.groups.flatMap((group) => group.blocks), ...clip.blocks]) ids.set(id, newId())
  const renew = (id: string): string => ids.get(id) ?? id
  const block = (old: Clip['blocks'][number]) => ({
    ...old,
    id: renew(old.id),
    data: renewed(old.data, ids) as typeof old.data,
  })
  return {
    ...clip,
    groups: clip.groups.map((group) => ({ ...group, id: renew(group.id), blocks: group.blocks.map(block) })),
    blocks: clip.blocks.map(block),
    edges: clip.edges.map(({ from, to }) => ({
      from: { ...from, blockId: renew(from.blockId) },
      to: { groupId: renew(to.groupId), ...(to.blockId !== undefined && { blockId: renew(to.blockId) }) },
    })),
  }
}

function renewed(value: Json, ids: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return ids.get(value) ?? value
  if (Array.isArray(value)) return value.map((item) => renewed(item, ids))
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renewed(item, ids)]))
  return value
}
