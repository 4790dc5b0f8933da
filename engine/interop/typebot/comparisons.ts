import { caps, counts } from '../../values/caps'
import type { ComparisonOperator } from '../../values/compare'
import type { Comparison, Condition } from '../../values/comparison'
import { staticValue } from '../../values/dynamicValue'
import { isPattern } from '../../values/pattern'
import { clip, fieldsOf, listOf, textOf } from '../fields'
import type { ImportContext } from '../importer'

/** Maps a condition of the product: comparisons joined by AND or OR. */
export function mapCondition(content: unknown, context: ImportContext): Condition {
  const { comparisons, logicalOperator } = fieldsOf(content)
  const list = listOf(comparisons)
  if (list.length > counts.comparisons)
    context.note(`Only the first ${counts.comparisons} of ${list.length} comparisons are kept.`)
  return {
    match: logicalOperator === 'OR' ? 'any' : 'all',
    comparisons: list.slice(0, counts.comparisons).map((comparison) => mapComparison(comparison, context)),
  }
}

const OPERATORS = new Map<string, ComparisonOperator>([
  ['Equal to', 'equals'],
  ['Not equal', 'not-equals'],
  ['Contains', 'contains'],
  ['Does not contain', 'not-contains'],
  ['Starts with', 'starts-with'],
  ['Ends with', 'ends-with'],
  ['Is empty', 'is-empty'],
  ['Is set', 'is-set'],
  ['Greater than', 'greater'],
  ['Greater or equal to', 'greater-or-equal'],
  ['Less than', 'less'],
  ['Less or equal to', 'less-or-equal'],
  ['Matches regex', 'matches'],
  ['Does not match regex', 'not-matches'],
])

/** Operators without an operand. */
const UNSET = new Map<string, ComparisonOperator>([
  ['Equal to', 'is-empty'],
  ['Not equal', 'is-set'],
])

/** Notes, once per file, how comparing differs. */
function noteDifferences(name: string, operand: string, isList: boolean, context: ImportContext): void {
  if (name === 'Equal to' || name === 'Not equal') {
    context.remark(
      'Equal texts may differ in case and in space around them here, and numbers in how they are written (1.0 is 1); there they had to be the same.',
    )
    if (operand === '') context.remark('A variable without a value equals an empty text here; there it did not.')
  }
  if (/^(Greater|Less)/.test(name))
    context.remark(
      'Greater and less compare numbers, dates, times, and lists by their length; texts that are none of these were compared by their length there, and never hold here.',
    )
  if (isList && /^(Contains|Does not contain|Matches|Does not match)/.test(name))
    context.remark('What a list is asked for may differ in case from its item here; there it had to be the same.')
  if (isList && /^(Equal to|Starts with|Ends with)/.test(name))
    context.remark('Of a list, one item that fits is enough here; there all of them had to.')
}

/** A comparison without a variable or an operator never holds, there and here: it stays incomplete. */
function mapComparison(value: unknown, context: ImportContext): Comparison {
  const comparison = fieldsOf(value)
  const name = textOf(comparison.comparisonOperator)
  const operator = OPERATORS.get(name)
  const variableId = context.variable(comparison.variableId)
  if (!variableId) context.note('A comparison has no variable, so it never matches. Finish it.')
  else if (!operator) {
    context.note(
      name
        ? `The comparison '${clip(name, 40)}' is not known here: it does not hold.`
        : 'A comparison has no operator: it does not hold. Choose its variable and operator.',
    )
  }
  const operand = textOf(comparison.value)
  const emptiness = operand === 'undefined' || operand === 'null' ? UNSET.get(name) : undefined
  if (emptiness) return { id: context.id(), variableId, operator: emptiness, value: staticValue('') }
  noteDifferences(name, operand, context.isList(comparison.variableId), context)
  if ((operator === 'matches' || operator === 'not-matches') && !isPattern(operand)) {
    context.note(`The pattern '${clip(operand, 40)}' can't be used here and matches nothing.`)
  }
  return {
    id: context.id(),
    variableId: operator ? variableId : null,
    operator: operator ?? 'equals',
    value: context.text(operand, caps.comparison),
  }
}
