import { grown } from './boxIndex'
import type { Box } from './geometry'
import type { Scene } from './placed'

/** The part of the flow that React Flow renders. */
export interface Window {
  /** zoomed out so far that the overview replaces nearly everything */
  far: boolean
  groups: ReadonlySet<string>
  edges: ReadonlySet<string>
  /** exactly what should be rendered is; until then the overview fills in */
  settled: boolean
}

export interface Seen {
  /** in flow coordinates */
  area: Box
  zoom: number
}

/** Below this zoom the overview is drawn; back at a slightly larger one, so that it does not flicker. */
export const FAR = 0.4
const NEAR_AGAIN = 0.42
/** The most changes per step, so that no frame takes long: blocks, edges, and removed groups. */
const BLOCKS = 16
const EDGES = 20
const LEAVING = 10
/** Screen pixels around the view in which groups are rendered in advance, and kept. */
const COMING = 48
const STAYING = 260

export const nothingShown: Window = { far: false, groups: new Set(), edges: new Set(), settled: false }

/**
 * One step towards the target: adds what is visible, the centre first; removes what is not.
 *
 * @param pinned groups that are always rendered: with the focus, and its Tab neighbours
 * @param held removes nothing while a gesture is active
 */
export function nextWindow(
  before: Window,
  scene: Scene,
  { area, zoom }: Seen,
  pinned: ReadonlySet<string>,
  held: boolean,
): Window {
  const far = zoom < (before.far ? NEAR_AGAIN : FAR)
  const near = (margin: number, find: (area: Box) => string[]) => (far ? [] : find(grown(area, margin / zoom)))
  const middle = { x: area.x + area.width / 2, y: area.y + area.height / 2 }
  const distance = (id: string) => {
    const box = scene.groups.get(id)?.box
    return box ? Math.hypot(box.x + box.width / 2 - middle.x, box.y + box.height / 2 - middle.y) : 0
  }

  const groups = leave(
    before.groups,
    new Set([...near(STAYING, scene.groupsIn), ...pinned]),
    scene.groups,
    held,
    LEAVING,
  )
  const missing = [...pinned, ...near(COMING, scene.groupsIn)].filter(
    (id) => !groups.ids.has(id) && scene.groups.has(id),
  )
  if (missing.length > 1) missing.sort((a, b) => distance(a) - distance(b))
  let blocks = 0
  for (const id of missing) {
    if (blocks >= BLOCKS) break
    blocks += 1 + (scene.groups.get(id)?.blocks.length ?? 0)
    groups.ids.add(id)
  }
  const edges = leave(before.edges, new Set(near(STAYING, scene.edgesIn)), scene.edges, held, 3 * LEAVING)
  const lines = near(COMING, scene.edgesIn).filter((id) => !edges.ids.has(id))
  for (const id of lines.slice(0, EDGES)) edges.ids.add(id)

  const settled =
    groups.all && edges.all && missing.every((id) => groups.ids.has(id)) && lines.every((id) => edges.ids.has(id))
  const unchanged = same(before.groups, groups.ids) && same(before.edges, edges.ids)
  if (unchanged && before.far === far && before.settled === settled) return before
  return {
    far,
    settled,
    groups: same(before.groups, groups.ids) ? before.groups : groups.ids,
    edges: same(before.edges, edges.ids) ? before.edges : edges.ids,
  }
}

/** The groups that stay; `all` is false if more should be removed than one step allows. */
function leave(
  present: ReadonlySet<string>,
  stay: ReadonlySet<string>,
  existing: ReadonlyMap<string, unknown>,
  held: boolean,
  most: number,
): { ids: Set<string>; all: boolean } {
  const ids = new Set<string>()
  let left = 0
  let all = true
  for (const id of present) {
    if (!existing.has(id)) continue
    if (held || stay.has(id)) ids.add(id)
    else if (left < most) left += 1
    else {
      ids.add(id)
      all = false
    }
  }
  return { ids, all }
}

const same = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((id) => b.has(id))
