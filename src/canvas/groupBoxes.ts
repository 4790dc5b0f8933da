import type { PlacedBox } from './arrange'
import type { Editor } from './context'
import type { Box } from './geometry'
import { sceneOf } from './scene'

/** The boxes of groups; missing ones are left out. */
export function boxesOf(editor: Editor, groupIds: Iterable<string>): PlacedBox[] {
  const { groups } = sceneOf(editor)
  return [...groupIds].flatMap((id) => {
    const box = groups.get(id)?.box
    return box ? [{ ...box, id }] : []
  })
}

/** The groups that intersect an area, visible or not. */
export const boxesIn = (editor: Editor, area: Box): PlacedBox[] => boxesOf(editor, sceneOf(editor).groupsIn(area))
