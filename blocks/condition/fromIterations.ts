import type { ForeignBlock, MappedBlock, NodeContext } from '../../engine/interop/importer'
import { newComparison } from '../../engine/values/comparison'
import { staticValue } from '../../engine/values/dynamicValue'
import type { Branch, ConditionData } from './schema'

/** The step of an iteration that checks whether there was another item; the counter has been decremented before. */
export const ITEM_TAKEN = 'item taken'

export function mapItemTaken({ of }: ForeignBlock, context: NodeContext): MappedBlock {
  const left = {
    ...newComparison(context.id),
    variableId: context.variable(of),
    operator: 'greater-or-equal' as const,
    value: staticValue('0'),
  }
  const branch: Branch = { id: context.id(), match: 'all', comparisons: [left] }
  return { data: { branches: [branch] } satisfies ConditionData, ports: { each: branch.id, default: 'else' } }
}
