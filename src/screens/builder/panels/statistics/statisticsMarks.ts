import type { TFunction } from 'i18next'
import type { Projection } from '../../../../../engine/document/commands'
import type { FlowStatistics } from '../../../../../server/contracts/statistics'
import type { Mark, MarkLayer } from '../../../../canvas/marks'
import { formatNumber, formatShare } from '../../../../i18n/format'

type Shown = Pick<Projection, 'groups' | 'blocks' | 'edges'>
type Layer = Required<{ [Part in keyof MarkLayer]: Map<string, Mark> }>

/**
 * The statistics as marks: an edge shows which share of its group's conversations took it, by strength, too; a group
 * shows the share that left there, or how many came; so does a block if its group was left at several blocks.
 * @param t of the namespace `statistics`
 */
export function markStatistics(statistics: FlowStatistics, shown: Shown, t: TFunction<'statistics'>): MarkLayer {
  const layer: Layer = { groups: new Map(), blocks: new Map(), edges: new Map() }
  const reached = new Map(statistics.groups.map(({ id, conversations }) => [id, conversations]))
  const most = Math.max(1, ...reached.values())
  for (const { id, conversations, visits, left } of statistics.groups) {
    if (!shown.groups.has(id)) continue
    const words = { count: conversations, left: formatShare(left, conversations), visits }
    layer.groups.set(id, {
      tone: 'heat',
      strength: conversations === 0 ? 0 : Math.min(1, left / conversations),
      text: left > 0 ? `−${formatShare(left, conversations)}` : formatNumber(conversations),
      label: t(left > 0 ? 'mark.groupLeft' : 'mark.group', words),
    })
  }
  for (const { id, conversations } of statistics.edges) {
    const edge = shown.edges.get(id)
    const from = edge && shown.blocks.get(edge.from.blockId)
    if (!from) continue
    const of = Math.max(conversations, reached.get(from.groupId) ?? 0)
    layer.edges.set(id, {
      tone: 'heat',
      strength: conversations / most,
      text: formatShare(conversations, of),
      label: t('mark.edge', { count: conversations, of, share: formatShare(conversations, of) }),
    })
  }
  for (const { id, left } of several(statistics.blocks, shown)) {
    layer.blocks.set(id, { tone: 'heat', text: `−${formatNumber(left)}`, label: t('mark.block', { count: left }) })
  }
  return layer
}

/** Blocks of groups that were left at more than one block: otherwise the group's mark is enough. */
function several(blocks: FlowStatistics['blocks'], shown: Shown): FlowStatistics['blocks'] {
  const inGroup = new Map<string, number>()
  const groupOf = (id: string) => shown.blocks.get(id)?.groupId
  for (const { id } of blocks) {
    const group = groupOf(id)
    if (group !== undefined) inGroup.set(group, (inGroup.get(group) ?? 0) + 1)
  }
  return blocks.filter(({ id }) => (inGroup.get(groupOf(id) ?? '') ?? 0) > 1)
}
