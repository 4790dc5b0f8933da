import type { PlacedBox } from './arrange'
import type { Editor } from './context'
import type { Box } from './geometry'
import { sceneOf } from './scene'

/** Where these groups stand; one that is gone is left out. */
export function boxesOf(editor: Editor, groupIds: Iterable<string>): PlacedBox[] {
  const { groups } = sceneOf(editor)
  return [...groupIds].flatMap((id) => {
    const box = groups.get(id)?.box
    return box ? [{ ...box, id }] : []
  })
}

/** The groups that an area touches, in sight or not. */
export const boxesIn = (editor: Editor, area: Box): PlacedBox[] => boxesOf(editor, sceneOf(editor).groupsIn(area))
