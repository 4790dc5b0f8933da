import { useEffect } from 'react'
import type { Editor } from '../../canvas/context'

/** Removes deleted items from the selection. */
export function usePruneSelection({ document, store }: Editor): void {
  useEffect(
    () =>
      document.subscribe((projection) => {
        const { selection } = store.getState()
        const gone =
          [...selection.groups].some((id) => !projection.groups.has(id)) ||
          [...selection.blocks].some((id) => !projection.blocks.has(id)) ||
          [...selection.edges].some((id) => !projection.edges.has(id))
        if (!gone) return
        const left = (ids: ReadonlySet<string>, present: ReadonlyMap<string, unknown>) =>
          new Set([...ids].filter((id) => present.has(id)))
        store.setState({
          selection: {
            groups: left(selection.groups, projection.groups),
            blocks: left(selection.blocks, projection.blocks),
            edges: left(selection.edges, projection.edges),
          },
        })
      }),
    [document, store],
  )
}
