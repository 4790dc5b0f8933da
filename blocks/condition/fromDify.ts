import { clip, type Fields, fieldsOf, listOf, textOf } from '../../engine/interop/fields'
import type { MappedBlock, NodeContext, NodeImporter } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import { caps, counts } from '../../engine/values/caps'
import type { ComparisonOperator } from '../../engine/values/compare'
import { type Comparison, newComparison } from '../../engine/values/comparison'
import { type DynamicPart, staticValue } from '../../engine/values/dynamicValue'
import { ITEM_TAKEN, mapItemTaken } from './fromIterations'
import type { Branch, ConditionData } from './schema'

/** An if-else with its cases, and the branching after a classifier. */
export const conditionFromDify: NodeImporter = {
  product: 'dify',
  types: ['if-else', 'class branches', ITEM_TAKEN],
  map(block, context) {
    if (block.type === ITEM_TAKEN) return mapItemTaken(block, context)
    return block.type === 'if-else' ? mapCases(block, context) : mapClasses(block, context)
  },
}

function mapCases(block: Fields, context: NodeContext): MappedBlock {
  noteOthers(block, ['id', 'type', 'cases', 'conditions', 'logical_operator'], context)
  // older files have a single case without a list
  const cases = Array.isArray(block.cases) ? block.cases.map(fieldsOf) : [{ ...block, case_id: 'true' } as Fields]
  if (cases.length > counts.branches)
    context.note(`Only the first ${counts.branches} of ${cases.length} cases are kept.`)
  const pairs = cases.slice(0, counts.branches).map((each) => {
    const conditions = listOf(each.conditions).map(fieldsOf)
    if (conditions.length > counts.comparisons)
      context.note(`Only the first ${counts.comparisons} of ${conditions.length} comparisons are kept.`)
    const branch: Branch = {
      id: context.id(),
      match: each.logical_operator === 'or' ? 'any' : 'all',
      comparisons: conditions.slice(0, counts.comparisons).map((condition) => mapComparison(condition, context)),
    }
    return [textOf(each.case_id) || textOf(each.id), branch] as const
  })
  const ports = Object.fromEntries(pairs.map(([exit, { id }]) => [exit, id]))
  return {
    data: { branches: pairs.map(([, branch]) => branch) } satisfies ConditionData,
    ports: { ...ports, false: 'else' },
  }
}

/** Dify takes an unknown class as the first one, so that is `else`. */
function mapClasses(block: Fields, context: NodeContext): MappedBlock {
  const classes = listOf(block.classes).map(fieldsOf)
  const variableId = context.output('class_name')
  const pairs = classes.slice(1, counts.branches + 1).map(({ id, name }) => {
    const comparison = {
      ...newComparison(context.id),
      variableId,
      value: staticValue(clip(textOf(name), caps.formChoice)),
    }
    const branch: Branch = { id: context.id(), match: 'all', comparisons: [comparison] }
    return [textOf(id), branch] as const
  })
  const { id: first, name: _name } = fieldsOf(classes[0])
  return {
    data: { branches: pairs.map(([, branch]) => branch) } satisfies ConditionData,
    ports: {
      ...Object.fromEntries(pairs.map(([exit, { id }]) => [exit, id])),
      ...(first !== undefined && { [textOf(first)]: 'else' }),
    },
  }
}

const OPERATORS = new Map<string, ComparisonOperator>([
  ['contains', 'contains'],
  ['not contains', 'not-contains'],
  ['start with', 'starts-with'],
  ['end with', 'ends-with'],
  ['is', 'equals'],
  ['is not', 'not-equals'],
  ['=', 'equals'],
  ['≠', 'not-equals'],
  ['>', 'greater'],
  ['<', 'less'],
  ['≥', 'greater-or-equal'],
  ['≤', 'less-or-equal'],
  ['empty', 'is-empty'],
  ['not empty', 'is-set'],
  ['null', 'is-empty'],
  ['not null', 'is-set'],
  ['exists', 'is-set'],
  ['not exists', 'is-empty'],
])

/** Operators with an empty operand: any text contains it, begins and ends with it, unless it is empty itself. */
const WITH_NOTHING = new Map<string, ComparisonOperator>([
  ['contains', 'is-set'],
  ['start with', 'is-set'],
  ['end with', 'is-set'],
  ['not contains', 'is-empty'],
])

function mapComparison(condition: Fields, context: NodeContext): Comparison {
  const name = textOf(condition.comparison_operator)
  const value = context.value(condition.variable_selector)
  const base = newComparison(context.id)
  const isNumber = [condition.varType, condition.numberVarType && 'number'].includes('number')
  if (!value) {
    context.note('A comparison names no value that the file has: finish it, it does not hold.')
    return base
  }
  const subject = { variableId: value.variableId, ...(value.path !== undefined && { path: value.path }) }
  const isList = Array.isArray(condition.value)
  const operand =
    textOf(condition.value) || (condition.value === true ? 'true' : condition.value === false ? 'false' : '')
  if ((name === 'in' || name === 'not in') && isList) {
    const part: DynamicPart = {
      type: 'variable',
      variable_id: value.variableId,
      ...(value.path !== undefined && { path: value.path }),
    }
    const before = name === 'not in' ? 'not (' : ''
    const list = ` in ${JSON.stringify(listOf(condition.value).map(textOf))}${before && ')'}`
    const parts: DynamicPart[] = [
      ...(before ? [{ type: 'text' as const, text: before }] : []),
      part,
      { type: 'text', text: list },
    ]
    return { ...base, subject: 'expression', value: { type: 'dynamic', parts } }
  }
  const operator = isList || condition.sub_variable_condition ? undefined : OPERATORS.get(name)
  if (!operator) {
    context.note(`The comparison '${clip(name, 40)}' (of files or lists) is not known here: it does not hold.`)
    return base
  }
  if (['null', 'not null', 'exists', 'not exists'].includes(name))
    context.note(
      `The comparison '${name}' minds the difference between nothing and an empty text: here both are empty.`,
    )
  if ((operator === 'is-empty' || operator === 'is-set') && isNumber)
    context.note('A number that is 0 counted as empty there: here it does not.')
  if (/\p{Cased_Letter}/u.test(operand) && !/^(?:true|false)$/.test(operand) && !ALONE.has(operator))
    context.note(`“${clip(operand, 40)}” was compared with regard to capitals: here capitals make no difference.`)
  return {
    ...base,
    ...subject,
    operator: operand === '' ? (WITH_NOTHING.get(name) ?? operator) : operator,
    value: ALONE.has(operator) ? staticValue('') : context.text(operand, caps.comparison),
  }
}

const ALONE: ReadonlySet<ComparisonOperator> = new Set(['is-empty', 'is-set'])
