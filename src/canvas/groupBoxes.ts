import type { Projection } from '../../engine/document/commands'
import type { PlacedBox } from './arrange'
import type { Editor } from './context'
import { blocksOf } from './elements'
import { type Box, layoutGroup, metrics, type Point, shapeBlock } from './geometry'
import { faceOf } from './kindFaces'

export interface GroupBoxes {
  /** null when the group is gone */
  of: (groupId: string) => PlacedBox | null
  /** the groups that an area touches */
  within: (area: Box) => PlacedBox[]
}

/** Columns as wide as that hold the groups that begin in them, so that a look at some does not go through ten thousand. */
const COLUMN = 512

/** Where groups stand and how tall they are, for the time of one gesture: heights are worked out once, and for those asked about alone. */
export function createGroupBoxes({ document, registry }: Pick<Editor, 'document' | 'registry'>): GroupBoxes {
  const heights = new Map<string, number>()
  let indexed: Projection['groups'] | undefined
  let columns = new Map<number, string[]>()

  function of(id: string): PlacedBox | null {
    const projection = document.projection()
    const group = projection.groups.get(id)
    if (!group) return null
    const known = heights.get(id)
    const height =
      known ??
      layoutGroup(blocksOf(group, projection), (block) => shapeBlock(block, registry, faceOf(block.kind))).height
    if (known === undefined) heights.set(id, height)
    return { id, x: group.position.x, y: group.position.y, width: metrics.width, height }
  }
  function index(groups: Projection['groups']): void {
    indexed = groups
    columns = new Map()
    for (const { id, position } of groups.values()) {
      const at = Math.floor(position.x / COLUMN)
      const column = columns.get(at)
      if (column) column.push(id)
      else columns.set(at, [id])
    }
  }
  return {
    of,
    within(area) {
      const { groups } = document.projection()
      if (indexed !== groups) index(groups)
      const found: PlacedBox[] = []
      const first = Math.floor((area.x - metrics.width) / COLUMN)
      const last = Math.floor((area.x + area.width) / COLUMN)
      // an area over the whole flow has more columns than there are with something in them
      const asked =
        last - first < columns.size
          ? Array.from({ length: last - first + 1 }, (_, i) => columns.get(first + i) ?? [])
          : columns.values()
      for (const ids of asked)
        for (const id of ids) {
          const position = groups.get(id)?.position
          if (!position || position.y > area.y + area.height) continue
          const box = of(id)
          if (box && touches(box, area)) found.push(box)
        }
      return found
    },
  }
}

/** The group at a point of the flow; of several that lie over each other, any. */
export const groupAt = (boxes: GroupBoxes, at: Point): string | undefined =>
  boxes.within({ ...at, width: 0, height: 0 })[0]?.id

const touches = (a: Box, b: Box): boolean =>
  a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height && b.y <= a.y + a.height
