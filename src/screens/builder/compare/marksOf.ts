import type { Mark, MarkLayer } from '../../../canvas/marks'
import type { ChangeItem } from './listChanges'

/** The changes as marks on the canvas. @param label a change in words */
export function marksOf(items: readonly ChangeItem[], label: (item: ChangeItem) => string): MarkLayer {
  const groups = new Map<string, Mark>()
  const blocks = new Map<string, Mark>()
  const edges = new Map<string, Mark>()
  for (const item of items) {
    const mark: Mark = { tone: item.change, label: label(item) }
    const [what, id = ''] = item.key.split(' ')
    if (what === 'group') groups.set(id, mark)
    if (what === 'block') blocks.set(id, mark)
    if (what === 'edge') edges.set(id, mark)
  }
  return { groups, blocks, edges }
}
