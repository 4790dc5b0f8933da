import { defineBlock, type Port } from '../../engine/flow/defineBlock'
import { note, now, random, read } from '../../engine/flow/steps'
import { comparisonProblems, conditionHolds, conditionNeeds, conditionReads } from '../../engine/values/comparison'
import { admitsPort } from './admits'
import { conditionFromDify } from './fromDify'
import { conditionFromFlowise } from './fromFlowise'
import { conditionFromTypebot } from './import'
import { variablesKnownAfter } from './known'
import { type ConditionData, conditionDefaults, conditionSchema, ELSE } from './schema'

/** Leaves by the first branch that holds, otherwise by `else`. An incomplete comparison never holds. */
export const condition = defineBlock({
  kind: 'condition',
  category: 'logic',
  title: 'Condition',
  help: 'Continues at the first branch that matches.',
  schema: conditionSchema,
  defaults: conditionDefaults,
  ports,
  reads: (data) => data.branches.flatMap(conditionReads),
  needs: () => [],
  assures: variablesKnownAfter,
  admits: admitsPort,
  problems: ({ branches }) =>
    branches.length === 0
      ? [{ path: 'branches', message: 'Add a branch' }]
      : branches.flatMap((branch, at) => comparisonProblems(branch, `branches.${at}`)),
  importers: [conditionFromTypebot, conditionFromDify, conditionFromFlowise],
  *run(data) {
    const variables = yield* read()
    const needs = data.branches.map(conditionNeeds)
    const problems: string[] = []
    const surroundings = {
      ...(needs.some((need) => need.now) && { now: yield* now() }),
      ...(needs.some((need) => need.chance) && { chance: yield* random() }),
      note: (problem: string) => problems.push(problem),
    }
    const branch = data.branches.find((one) => conditionHolds(one, variables, surroundings))
    for (const problem of problems) yield* note(problem)
    return branch?.id ?? ELSE
  },
})

function ports(data: ConditionData): Port<string>[] {
  return [
    ...data.branches
      .filter(({ id }) => id !== ELSE)
      .map((branch, index) => ({ id: branch.id, label: `Branch ${index + 1}`, row: branch.id })),
    { id: ELSE, label: 'Else' },
  ]
}
