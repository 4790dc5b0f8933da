import { clip, type Fields, fieldsOf, listOf, textOf } from '../../engine/interop/fields'
import type { MappedBlock, NodeContext, NodeImporter, NotMapped } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import { caps, counts } from '../../engine/values/caps'
import type { ComparisonOperator } from '../../engine/values/compare'
import { type Comparison, newComparison } from '../../engine/values/comparison'
import { type DynamicPart, type DynamicValue, isBlankValue, staticValue } from '../../engine/values/dynamicValue'
import { isPattern } from '../../engine/values/pattern'
import { ITEM_TAKEN, mapItemTaken } from './fromIterations'
import type { Branch, ConditionData } from './schema'

/** Conditions, the branching after a model's choice, and whether a loop repeats. */
export const conditionFromFlowise: NodeImporter = {
  product: 'flowise',
  types: ['conditionAgentflow', 'class branches', 'loop again', ITEM_TAKEN],
  map(block, context) {
    if (block.type === ITEM_TAKEN) return mapItemTaken(block, context)
    if (block.type === 'loop again') return mapLoop(block, context)
    return block.type === 'class branches' ? mapScenarios(block, context) : mapConditions(block, context)
  },
}

const branches = (pairs: readonly (readonly [string, Branch])[], otherwise: string): MappedBlock => ({
  data: { branches: pairs.map(([, branch]) => branch) } satisfies ConditionData,
  ports: { ...Object.fromEntries(pairs.map(([exit, { id }]) => [exit, id])), [otherwise]: 'else' },
})

const branchOf = (comparison: Comparison, context: NodeContext): Branch => ({
  id: context.id(),
  match: 'all',
  comparisons: [comparison],
})

/** Each condition's exit has its number; the next number is `else`. */
function mapConditions(block: Fields, context: NodeContext): MappedBlock | NotMapped {
  noteOthers(block, ['id', 'type', 'conditions'], context)
  const rows = listOf(block.conditions).map(fieldsOf)
  if (rows.length > counts.branches)
    return {
      notMapped: `It has ${rows.length} conditions, more than the ${counts.branches} of one block: divide them.`,
    }
  const pairs = rows.map((row, at) => [String(at), branchOf(mapComparison(row, context), context)] as const)
  return branches(pairs, String(rows.length))
}

/** If the model names no scenario Flowise takes the last one, so that is `else`. */
function mapScenarios(block: Fields, context: NodeContext): MappedBlock {
  const labels = listOf(block.scenarios).map((each) => clip(textOf(fieldsOf(each).scenario), caps.formChoice))
  const variableId = context.output('scenario')
  const last = Math.min(labels.length, counts.branches + 1) - 1
  const pairs = labels.slice(0, Math.max(0, last)).map((label, at) => {
    return [
      String(at),
      branchOf({ ...newComparison(context.id), variableId, value: staticValue(label) }, context),
    ] as const
  })
  return branches(pairs, String(Math.max(0, last)))
}

function mapLoop(block: Fields, context: NodeContext): MappedBlock {
  const comparison: Comparison = {
    ...newComparison(context.id),
    variableId: context.variable(`$loop.${textOf(block.id)}`),
    operator: 'less',
    value: staticValue(textOf(block.most)),
  }
  const branch = branchOf(comparison, context)
  return { data: { branches: [branch] } satisfies ConditionData, ports: { again: branch.id } }
}

const OPERATORS = new Map<string, ComparisonOperator>([
  ['contains', 'contains'],
  ['notContains', 'not-contains'],
  ['startsWith', 'starts-with'],
  ['endsWith', 'ends-with'],
  ['equal', 'equals'],
  ['notEqual', 'not-equals'],
  ['larger', 'greater'],
  ['largerEqual', 'greater-or-equal'],
  ['smaller', 'less'],
  ['smallerEqual', 'less-or-equal'],
  ['isEmpty', 'is-empty'],
  ['notEmpty', 'is-set'],
  ['regex', 'matches'],
])

const ALONE: ReadonlySet<ComparisonOperator> = new Set(['is-empty', 'is-set'])
/** Operators with an empty operand: every text contains it. */
const WITH_NOTHING = new Map([
  ['contains', 'true'],
  ['startsWith', 'true'],
  ['endsWith', 'true'],
  ['notContains', 'false'],
])

function mapComparison(row: Fields, context: NodeContext): Comparison {
  const base = newComparison(context.id)
  const always = (source: string): Comparison => ({ ...base, subject: 'expression', value: staticValue(source) })
  const name = textOf(row.operation)
  if (row.type === 'boolean') {
    const same = String(row.value1 ?? false) === String(row.value2 ?? false)
    return always(String(name === 'notEqual' ? !same : same))
  }
  const operator = OPERATORS.get(name)
  const left = trimmed(context.text(row.value1, caps.comparison))
  const right = trimmed(context.text(row.value2, caps.comparison))
  const [only, ...more] = left.type === 'dynamic' ? left.parts : []
  if (!operator || only?.type !== 'variable' || more.length > 0) {
    context.note(
      operator
        ? 'A comparison does not begin with one variable alone: finish it, it does not hold.'
        : `The comparison '${clip(name, 40)}' is not known here: it does not hold.`,
    )
    return base
  }
  if (row.type === 'number')
    context.note('What is no number counted as 0 there: here a comparison with it does not hold.')
  else if (
    right.type === 'static' &&
    /\p{Cased_Letter}/u.test(right.value) &&
    operator !== 'matches' &&
    !ALONE.has(operator)
  )
    context.note(`“${clip(right.value, 40)}” was compared with regard to capitals: here capitals make no difference.`)
  if (operator === 'matches' && right.type === 'static' && !isPattern(right.value))
    context.note(`The pattern '${clip(right.value, 40)}' can't be used here and matches nothing.`)
  const fixed = isBlankValue(right) ? WITH_NOTHING.get(name) : undefined
  if (fixed !== undefined) return always(fixed)
  return {
    ...base,
    variableId: only.variable_id,
    ...(only.path !== undefined && { path: only.path }),
    operator: operator === 'equals' && isBlankValue(right) ? 'is-empty' : operator,
    value: ALONE.has(operator) ? staticValue('') : right,
  }
}

/** Flowise's editor adds a space after each variable. */
function trimmed(value: DynamicValue): DynamicValue {
  if (value.type === 'static') return staticValue(value.value.trim())
  const isBlank = (part: DynamicPart | undefined) => part?.type === 'text' && part.text.trim() === ''
  const parts = [...value.parts]
  while (isBlank(parts.at(-1))) parts.pop()
  while (isBlank(parts[0])) parts.shift()
  return { type: 'dynamic', parts }
}
