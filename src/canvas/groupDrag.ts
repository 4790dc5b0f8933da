import { useMemo } from 'react'
import type { Point } from './geometry'

/** What takes part in dragging groups, by their titles on the canvas or as they stand in the overview. */
export interface GroupDrag {
  /** once, before the first step; `groupIds` are all that move */
  begin: (groupIds: ReadonlySet<string>) => void
  /** at each step: how far the pointer has taken them since the beginning; gives how far they shall stand instead */
  adjust: (by: Point) => Point
  /** once, after the drop or when it was called off */
  end: () => void
}

/** Groups go where the pointer takes them. */
export function useGroupDrag(): GroupDrag {
  return useMemo(() => ({ begin: () => undefined, adjust: (by) => by, end: () => undefined }), [])
}
