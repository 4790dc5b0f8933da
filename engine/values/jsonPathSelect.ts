import type { JsonPathQuery } from 'jsonpath-rfc9535/parser'
import type { Json } from './json'
import { matchesPattern } from './pattern'

/** What may still be looked at; below 0 nothing more is found. `root` is what `$` means within filters. */
export interface Work {
  left: number
  root: Json
}

type Segment = JsonPathQuery['segments'][number]
type Selector = Extract<Segment['node'], { type: 'BracketedSelection' }>['selectors'][number]

type Logical = Extract<Selector, { type: 'FilterSelector' }>['value']
type Comparison = Extract<Logical, { type: 'ComparisonExpr' }>
type Comparable = Comparison['left']
type FunctionCall = Extract<Comparable, { type: 'FunctionExpr' }>
type Argument = FunctionCall['arguments'][number]
type Query = Extract<Argument, { type: 'FilterQuery' }>['value']

/** The values that the segments of a path lead to from a value, in the order of RFC 9535. */
export function selectNodes(segments: readonly Segment[], from: Json, work: Work): Json[] {
  let nodes: Json[] = [from]
  for (const { type, node } of segments) {
    const selectors: readonly Step[] = node.type === 'BracketedSelection' ? node.selectors : [node]
    const next: Json[] = []
    const take = (value: Json) => {
      for (const selector of selectors) select(selector, value, work, next)
      if (type === 'DescendantSegment') for (const child of children(value)) if (work.left >= 0) take(child)
    }
    for (const value of nodes) if (work.left >= 0) take(value)
    nodes = next
  }
  return work.left < 0 ? [] : nodes
}

type Step = Selector | Exclude<Segment['node'], { type: 'BracketedSelection' }>

function select(selector: Step, value: Json, work: Work, found: Json[]): void {
  work.left--
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
      spend(children(value), work, found)
      return
    case 'SliceSelector':
      spend(Array.isArray(value) ? slice(value, selector) : [], work, found)
      return
    case 'FilterSelector':
      for (const child of children(value)) {
        if (--work.left < 0) return
        if (passesFilter(selector.value, child, work)) found.push(child)
      }
  }
}

function spend(values: readonly Json[], work: Work, found: Json[]): void {
  work.left -= values.length
  if (work.left >= 0) for (const value of values) found.push(value)
}

/** As RFC 9535 2.3.4.2 has it. */
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

/** Whether a value passes a filter `[?…]` of RFC 9535. */
function passesFilter(expression: Logical, current: Json, work: Work): boolean {
  if (--work.left < 0) return false
  switch (expression.type) {
    case 'LogicalOrExpr':
      return passesFilter(expression.left, current, work) || passesFilter(expression.right, current, work)
    case 'LogicalAndExpr':
      return passesFilter(expression.left, current, work) && passesFilter(expression.right, current, work)
    case 'LogicalNotExpr':
      return !passesFilter(expression.expression, current, work)
    case 'ComparisonExpr':
      return compare(
        expression,
        operandOf(expression.left, current, work),
        operandOf(expression.right, current, work),
        work,
      )
    case 'TestExpr': {
      const test = expression.expression
      return test.type === 'FilterQuery'
        ? nodesOf(test.value, current, work).length > 0
        : callFunction(test, current, work) === true
    }
  }
}

function nodesOf(query: Query, current: Json, work: Work): Json[] {
  return selectNodes(query.segments, query.type === 'RelQuery' ? current : work.root, work)
}

/** undefined is RFC 9535's Nothing. */
function operandOf(comparable: Comparable, current: Json, work: Work): Json | undefined {
  switch (comparable.type) {
    case 'Literal':
      return comparable.value
    case 'FunctionExpr':
      return callFunction(comparable, current, work)
    default: {
      const from = comparable.type === 'RelSingularQuery' ? current : work.root
      return selectNodes(
        comparable.segments.map(({ node }) => ({
          type: 'ChildSegment' as const,
          node: node.type === 'MemberNameShorthand' ? node : { type: 'BracketedSelection' as const, selectors: [node] },
        })),
        from,
        work,
      )[0]
    }
  }
}

/** The functions of RFC 9535; an unknown one gives Nothing. Patterns are ours, whose time is bounded. */
function callFunction({ name, arguments: given }: FunctionCall, current: Json, work: Work): Json | undefined {
  const nodes = () => (given[0]?.type === 'FilterQuery' ? nodesOf(given[0].value, current, work) : [])
  const value = (argument: Argument | undefined): Json | undefined => {
    if (argument?.type === 'Literal') return argument.value
    if (argument?.type === 'FunctionExpr') return callFunction(argument, current, work)
    const found = argument?.type === 'FilterQuery' ? nodesOf(argument.value, current, work) : []
    return found.length === 1 ? found[0] : undefined
  }
  switch (name) {
    case 'count':
      return nodes().length
    case 'value':
      return value(given[0])
    case 'length': {
      const measured = value(given[0])
      if (typeof measured === 'string') return [...measured].length
      return typeof measured === 'object' && measured !== null ? children(measured).length : undefined
    }
    case 'match':
    case 'search': {
      const [text, pattern] = [value(given[0]), value(given[1])]
      if (typeof text !== 'string' || typeof pattern !== 'string') return false
      work.left -= text.length
      return work.left >= 0 && matchesPattern(name === 'match' ? `^(?:${pattern})$` : pattern, text)
    }
    default:
      return undefined
  }
}

function compare({ op }: Comparison, left: Json | undefined, right: Json | undefined, work: Work): boolean {
  const less = (a: typeof left, b: typeof left) =>
    (typeof a === 'number' && typeof b === 'number' && a < b) ||
    (typeof a === 'string' && typeof b === 'string' && a < b)
  const equal = () => isEqual(left, right, work)
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

function isEqual(left: Json | undefined, right: Json | undefined, work: Work): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left) !== Array.isArray(right) || --work.left < 0) return false
  const [a, b] = [Object.entries(left), right as Record<string, Json>]
  return (
    a.length === Object.keys(right).length &&
    a.every(([key, value]) => Object.hasOwn(b, key) && isEqual(value, b[key], work))
  )
}
