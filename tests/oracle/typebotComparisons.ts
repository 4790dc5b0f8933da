import { type Fields, list, text } from './typebotFile'
import type { TypebotVariables, Value } from './typebotVariables'

/** Whether a condition holds. */
export function holds(variables: TypebotVariables, { comparisons, logicalOperator }: Fields): boolean {
  const all = list(comparisons)
  if (all.length === 0) return false
  const results = all.map((comparison) => compare(variables, comparison))
  return logicalOperator === 'OR' ? results.some(Boolean) : results.every(Boolean)
}

function compare(variables: TypebotVariables, { variableId, comparisonOperator, value: given }: Fields): boolean {
  if (!variableId || !comparisonOperator) return false
  const value = variables.of(variableId)?.value ?? null
  const wanted = text(given)
  const other: Value =
    wanted === 'undefined' || wanted === 'null' ? null : (variables.alone(wanted)?.value ?? variables.fill(wanted))
  const pairs = [value].flat().flatMap((a) => [other].flat().map((b): [string | null, string | null] => [a, b]))
  const all = (test: (a: string, b: string) => boolean, unset = false) =>
    pairs.every(([a, b]) => (a ? (b ? test(a, b) : unset) : unset))
  const some = (test: (a: string, b: string) => boolean) => pairs.some(([a, b]) => Boolean(a && b && test(a, b)))
  const low = (one: string) => one.toLowerCase().trim()
  switch (comparisonOperator) {
    case 'Equal to':
    case 'Not equal': {
      const [a, b] = [value, other].map((one) => (typeof one === 'string' ? low(one) : one))
      if (
        value !== other &&
        (a === b || (Number(value) === Number(other) && value !== null && other !== null) || (!value && !other))
      )
        variables.features.add('nearly equal')
      if (Array.isArray(value)) variables.features.add('list compared')
      return comparisonOperator === 'Equal to' ? pairs.every(([x, y]) => x === y) : pairs.every(([x, y]) => x !== y)
    }
    case 'Contains':
      if (Array.isArray(value)) return pairs.some(([a, b]) => a === b)
      return some((a, b) => low(a).includes(low(b)))
    case 'Does not contain':
      if (Array.isArray(value)) return pairs.every(([a, b]) => a !== b)
      return all((a, b) => !low(a).includes(low(b)), true)
    case 'Starts with':
      return all((a, b) => low(a).startsWith(low(b)))
    case 'Ends with':
      return all((a, b) => low(a).endsWith(low(b)))
    case 'Is set':
      return value !== null && value.length > 0
    case 'Is empty':
      return value === null || value.length === 0
    case 'Matches regex':
      return some((a, b) => new RegExp(b.replace(/^\/(.*)\/\w*$/, '$1')).test(a))
    case 'Does not match regex':
      return all((a, b) => !new RegExp(b.replace(/^\/(.*)\/\w*$/, '$1')).test(a))
    default: {
      if (value === null || other === null) return false
      const [a, b] = [measure(variables, value, other), measure(variables, other, value)]
      if (comparisonOperator === 'Greater than') return a > b
      if (comparisonOperator === 'Greater or equal to') return a >= b
      return comparisonOperator === 'Less than' ? a < b : a <= b
    }
  }
}

/** A list's length; a text's number, its time, or its length; beside a list a text's number alone. */
function measure({ features }: TypebotVariables, one: string | (string | null)[], beside: unknown): number {
  if (Array.isArray(one)) return one.length
  const number = one.startsWith('+') ? Number.NaN : Number(one)
  if (Array.isArray(beside) || !Number.isNaN(number)) return number
  const time = Date.parse(one)
  if (Number.isNaN(time)) features.add('length of a text compared')
  return Number.isNaN(time) ? one.length : time
}
