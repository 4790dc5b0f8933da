import { defineBlock, type Port } from '../../engine/flow/defineBlock'
import { read } from '../../engine/flow/steps'
import { compare } from '../../engine/values/compare'
import { dynamicValueVariables } from '../../engine/values/dynamicValue'
import { type MatchWork, newMatchWork } from '../../engine/values/pattern'
import { renderText, type Variables, variableValue } from '../../engine/values/render'
import { conditionFromTypebot } from './import'
import { type Branch, type Comparison, type ConditionData, conditionDefaults, conditionSchema } from './schema'

/** Leaves by the first branch that holds, else by `else`. A branch without a finished comparison never holds. */
export const condition = defineBlock({
  kind: 'condition',
  category: 'logic',
  title: 'Condition',
  help: 'Takes the first branch whose comparisons hold.',
  schema: conditionSchema,
  defaults: conditionDefaults,
  ports,
  reads: (data) =>
    data.branches
      .flatMap((branch) => branch.comparisons)
      .flatMap(({ variableId, value }) => [...(variableId ? [variableId] : []), ...dynamicValueVariables(value)]),
  importers: [conditionFromTypebot],
  *run(data) {
    const variables = yield* read()
    const work = newMatchWork()
    return data.branches.find((branch) => branchHolds(branch, variables, work))?.id ?? 'else'
  },
})

function ports(data: ConditionData): Port<string>[] {
  return [
    ...data.branches.map((branch, index) => ({ id: branch.id, label: `Branch ${index + 1}`, row: branch.id })),
    { id: 'else', label: 'Else' },
  ]
}

function branchHolds({ match, comparisons }: Branch, variables: Variables, work: MatchWork): boolean {
  const finished = comparisons.filter(({ variableId }) => variableId !== null)
  const holds = (comparison: Comparison): boolean =>
    compare(
      variableValue(variables, comparison.variableId),
      comparison.operator,
      renderText(comparison.value, variables),
      work,
    )
  return finished.length > 0 && (match === 'all' ? finished.every(holds) : finished.some(holds))
}
