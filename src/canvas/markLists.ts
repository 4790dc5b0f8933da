import type { Mark, MarkLayer, MarkSource } from './marks'
import type { PlacedGroup } from './placed'

type Marks = ReadonlyMap<MarkSource, MarkLayer>
const none: readonly Mark[] = []

/** Zoomed out, a group also shows the marks of its blocks and ports: the most severe of each source, once. */
export function marksOfGroup(marks: Marks, { group, layout }: PlacedGroup): readonly Mark[] {
  if (marks.size === 0) return none
  const found: Mark[] = []
  for (const layer of marks.values()) {
    const mine = [
      layer.groups?.get(group.id),
      ...group.blockIds.map((id) => layer.blocks?.get(id)),
      ...(layer.edges ? [...layout.handles].map((id) => layer.edges?.get(id)) : []),
    ].filter((mark) => mark !== undefined && mark.tone !== 'heat')
    const worst = mine.sort((a, b) => rank(a as Mark) - rank(b as Mark))[0]
    if (worst) found.push(worst)
    const heat = layer.groups?.get(group.id)
    if (heat?.tone === 'heat') found.push(heat)
  }
  return found
}

/** All sources' marks of one thing, in the order in which the layers were added. */
export function marksOf(marks: Marks, kind: keyof MarkLayer, id: string): readonly Mark[] {
  if (marks.size === 0) return none
  return [...marks.values()].flatMap((layer) => layer[kind]?.get(id) ?? [])
}

export const marksOfEdge = (marks: Marks, id: string): readonly Mark[] => marksOf(marks, 'edges', id)

const order: readonly Mark['tone'][] = [
  'error',
  'removed',
  'warning',
  'paused',
  'breakpoint',
  'added',
  'changed',
  'moved',
  'info',
  'heat',
]
const rank = ({ tone }: Mark): number => order.indexOf(tone)
