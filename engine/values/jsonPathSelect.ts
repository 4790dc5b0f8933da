import type { JsonPathQuery } from 'jsonpath-rfc9535/parser'
import { charge } from '../budget'
import type { Json } from './json'
import { matchesPattern } from './pattern'

type Segment = JsonPathQuery['segments'][number]
type Selector = Extract<Segment['node'], { type: 'BracketedSelection' }>['selectors'][number]

type Logical = Extract<Selector, { type: 'FilterSelector' }>['value']
type Comparison = Extract<Logical, { type: 'ComparisonExpr' }>
type Comparable = Comparison['left']
type FunctionCall = Extract<Comparable, { type: 'FunctionExpr' }>
type Argument = FunctionCall['arguments'][number]
type Query = Extract<Argument, { type: 'FilterQuery' }>['value']

/** The cost of visiting a value. */
const VALUE = 10

/**
 * The values that a path's segments select, in the order of RFC 9535.
 * @param root the value of `$` within filters
 */
export function selectNodes(segments: readonly Segment[], from: Json, root: Json): Json[] {
  let nodes: Json[] = [from]
  for (const { type, node } of segments) {
    const selectors: readonly Step[] = node.type === 'BracketedSelection' ? node.selectors : [node]
    const next: Json[] = []
    const take = (value: Json) => {
      for (const selector of selectors) select(selector, value, root, next)
      if (type === 'DescendantSegment') for (const child of children(value)) take(child)
    }
    for (const value of nodes) take(value)
    nodes = next
  }
  return nodes
}

type Step = Selector | Exclude<Segment['node'], { type: 'BracketedSelection' }>

function select(selector: Step, value: Json, root: Json, found: Json[]): void {
  charge(VALUE)
  switch (selector.type) {
    case 'NameSelector':
    case 'MemberNameShorthand': {
      const member = isObject(value) && Object.hasOwn(value, selector.value) ? value[selector.value] : undefined
      if (member !== undefined) found.push(member)
      return
    }
    case 'IndexSelector': {
      const item = Array.isArray(value) ? value.at(selector.value) : undefined
      if (item !== undefined) found.push(item)
      return
    }
    case 'WildcardSelector':
      add(children(value), found)
      return
    case 'SliceSelector':
      if (!Array.isArray(value)) return
      charge(value.length)
      add(slice(value, selector), found)
      return
    case 'FilterSelector':
      for (const child of children(value)) {
        if (passesFilter(selector.value, child, root)) found.push(child)
      }
  }
}

function add(values: readonly Json[], found: Json[]): void {
  charge(values.length * VALUE)
  for (const value of values) found.push(value)
}

/** See RFC 9535 2.3.4.2. */
function slice(list: readonly Json[], { start, end, step }: Extract<Selector, { type: 'SliceSelector' }>): Json[] {
  const by = step ?? 1
  if (by === 0) return []
  const { length } = list
  const place = (index: number) => (index >= 0 ? index : length + index)
  const within = (index: number, low: number, high: number) => Math.min(Math.max(index, low), high)
  const first = start ?? (by > 0 ? 0 : length - 1)
  const last = end ?? (by > 0 ? length : -length - 1)
  const found: Json[] = []
  const items = (index: number) => {
    const item = list[index]
    if (item !== undefined) found.push(item)
  }
  if (by > 0) for (let at = within(place(first), 0, length); at < within(place(last), 0, length); at += by) items(at)
  else for (let at = within(place(first), -1, length - 1); at > within(place(last), -1, length - 1); at += by) items(at)
  return found
}

const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const children = (value: Json): readonly Json[] =>
  Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []

/** Whether a value passes a filter `[?…]` (RFC 9535). */
function passesFilter(expression: Logical, current: Json, root: Json): boolean {
  charge(VALUE)
  switch (expression.type) {
    case 'LogicalOrExpr':
      return passesFilter(expression.left, current, root) || passesFilter(expression.right, current, root)
    case 'LogicalAndExpr':
      return passesFilter(expression.left, current, root) && passesFilter(expression.right, current, root)
    case 'LogicalNotExpr':
      return !passesFilter(expression.expression, current, root)
    case 'ComparisonExpr':
      return compare(expression, operandOf(expression.left, current, root), operandOf(expression.right, current, root))
    case 'TestExpr': {
      const test = expression.expression
      return test.type === 'FilterQuery'
        ? nodesOf(test.value, current, root).length > 0
        : callFunction(test, current, root) === true
    }
  }
}

function nodesOf(query: Query, current: Json, root: Json): Json[] {
  return selectNodes(query.segments, query.type === 'RelQuery' ? current : root, root)
}

/** undefined is RFC 9535's Nothing. */
function operandOf(comparable: Comparable, current: Json, root: Json): Json | undefined {
  switch (comparable.type) {
    case 'Literal':
      return comparable.value
    case 'FunctionExpr':
      return callFunction(comparable, current, root)
    default: {
      const from = comparable.type === 'RelSingularQuery' ? current : root
      return selectNodes(
        comparable.segments.map(({ node }) => ({
          type: 'ChildSegment' as const,
          node: node.type === 'MemberNameShorthand' ? node : { type: 'BracketedSelection' as const, selectors: [node] },
        })),
        from,
        root,
      )[0]
    }
  }
}

/** The functions of RFC 9535; an unknown one returns Nothing. Patterns use our own matcher, whose time is bounded. */
function callFunction({ name, arguments: given }: FunctionCall, current: Json, root: Json): Json | undefined {
  const nodes = () => (given[0]?.type === 'FilterQuery' ? nodesOf(given[0].value, current, root) : [])
  const value = (argument: Argument | undefined): Json | undefined => {
    if (argument?.type === 'Literal') return argument.value
    if (argument?.type === 'FunctionExpr') return callFunction(argument, current, root)
    const found = argument?.type === 'FilterQuery' ? nodesOf(argument.value, current, root) : []
    return found.length === 1 ? found[0] : undefined
  }
  switch (name) {
    case 'count':
      return nodes().length
    case 'value':
      return value(given[0])
    case 'length': {
      const measured = value(given[0])
      if (typeof measured === 'string') {
        charge(measured.length * VALUE)
        return [...measured].length
      }
      return typeof measured === 'object' && measured !== null ? children(measured).length : undefined
    }
    case 'match':
    case 'search': {
      const [text, pattern] = [value(given[0]), value(given[1])]
      if (typeof text !== 'string' || typeof pattern !== 'string') return false
      return matchesPattern(name === 'match' ? `^(?:${pattern})$` : pattern, text)
    }
    default:
      return undefined
  }
}

function compare({ op }: Comparison, left: Json | undefined, right: Json | undefined): boolean {
  const less = (a: typeof left, b: typeof left) =>
    (typeof a === 'number' && typeof b === 'number' && a < b) ||
    (typeof a === 'string' && typeof b === 'string' && a < b)
  const equal = () => isEqual(left, right)
  switch (op) {
    case '==':
      return equal()
    case '!=':
      return !equal()
    case '<':
      return less(left, right)
    case '>':
      return less(right, left)
    case '<=':
      return less(left, right) || equal()
    case '>=':
      return less(right, left) || equal()
  }
}

function isEqual(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const [a, b] = [Object.entries(left), right as Record<string, Json>]
  charge(a.length * VALUE)
  return (
    a.length === Object.keys(right).length && a.every(([key, value]) => Object.hasOwn(b, key) && isEqual(value, b[key]))
  )
}
