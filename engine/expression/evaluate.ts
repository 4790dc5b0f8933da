import { Budget, BudgetSpent, charge, SHARE_UNITS } from '../budget'
import type { Json } from '../values/json'
import { valueAsNumber } from '../values/number'
import { isUnset, variableValue } from '../values/render'
import { readKey } from '../values/valuePath'
import { functions } from './functions'
import {
  compareOrder,
  contains,
  type EvaluationContext,
  equal,
  finite,
  isTrue,
  numberOf,
  print,
  type Surroundings,
  tidy,
} from './operations'
import type { BinaryOperator, Expression, Node } from './parse'
import { ExpressionError, type ExpressionProblem } from './problem'
import { keep } from './work'

export type Evaluated = { ok: true; value: Json } | { ok: false; problem: ExpressionProblem }

/**
 * Evaluates an expression. Always terminates: steps, sizes and depth are bounded by its share of the budget. Throws
 * only BudgetSpent, when the surrounding turn's budget is spent.
 */
export function evaluate({ root }: Expression, surroundings: Surroundings): Evaluated {
  const context = { ...surroundings, draw: chances(surroundings.chance ?? 0) }
  const share = new Budget(SHARE_UNITS)
  try {
    return { ok: true, value: share.during(() => keep(calculate(root, context))) }
  } catch (error) {
    if (error instanceof BudgetSpent && error.budget === share)
      return { ok: false, problem: { message: TOO_MUCH, at: 0 } }
    if (error instanceof ExpressionError) return { ok: false, problem: { message: error.message, at: error.at } }
    // a variable may be nested so deeply that printing it overflows the stack
    if (error instanceof RangeError) return { ok: false, problem: { message: 'A value is nested too deeply', at: 0 } }
    throw error
  }
}

const TOO_MUCH = 'This takes too long or makes too much text'
/** The base cost of a step. */
const STEP = 15

function calculate(node: Node, context: EvaluationContext): Json {
  charge(STEP)
  const get = (inner: Node): Json => calculate(inner, context)
  switch (node.type) {
    case 'value':
      return node.value
    case 'variable':
      return variableValue(context.variables, node.variableId, node.path)
    case 'text':
      return node.pieces.map((piece) => print(get(piece))).join('')
    case 'list':
      return node.items.map((item) => keep(get(item)))
    case 'object':
      // no assignment: a field may be called __proto__
      return Object.fromEntries(node.fields.map(([name, value]) => [name, keep(get(value))]))
    case 'part':
      return readPart(get(node.of), get(node.key))
    case 'choice':
      return isTrue(get(node.if)) ? get(node.then) : get(node.else)
    case 'not':
      return !isTrue(get(node.of))
    case 'minus':
      return locate(node.at, () => finite(-numberOf(get(node.of))))
    case 'binary':
      return locate(node.at, () => join(node.operator, node.left, node.right, context))
    case 'local':
      return localOf(context, node.name)
    case 'each':
      return each(node, get(node.list), context)
    case 'call': {
      const called = functions.get(node.name)
      if (!called) throw new ExpressionError(`There is no function “${node.name}”`, node.at)
      return locate(node.at, () => called.run(node.args.map(get), context))
    }
  }
}

/** The innermost list item of that name. */
function localOf({ locals }: EvaluationContext, name: string): Json {
  for (let at = locals; at; at = at.outer) if (at.name === name) return at.value
  return null
}

/**
 * Iterates over a list; a single value is a list of one, an unset value an empty list. Every item is charged as a step.
 */
function each({ mode, name, body }: Node & { type: 'each' }, of: Json, context: EvaluationContext): Json {
  const list = Array.isArray(of) ? of : isUnset(of) ? [] : [of]
  const result = (value: Json): Json => calculate(body, { ...context, locals: { name, value, outer: context.locals } })
  const test = (value: Json): boolean => isTrue(result(value))
  switch (mode) {
    case 'map':
      return list.map((item) => keep(result(item)))
    case 'filter':
      return keep(list.filter(test))
    case 'find':
      return list.find(test) ?? null
    case 'some':
      return list.some(test)
    case 'every':
      return list.every(test)
  }
}

function join(operator: BinaryOperator, leftNode: Node, rightNode: Node, context: EvaluationContext): Json {
  const left = calculate(leftNode, context)
  const right = (): Json => calculate(rightNode, context)
  switch (operator) {
    case 'or':
      return isTrue(left) ? left : right()
    case 'and':
      return isTrue(left) ? right() : left
    case 'else':
      return isUnset(left) ? right() : left
    case '+':
      return add(left, right())
    case '-':
      return tidy(numberOf(left) - numberOf(right()))
    case '*':
      return tidy(numberOf(left) * numberOf(right()))
    case '/':
      return tidy(numberOf(left) / divisor(numberOf(right())))
    case '%':
      return tidy(numberOf(left) % divisor(numberOf(right())))
    case 'in':
      return contains(right(), left)
    case '==':
      return equal(left, right())
    case '!=':
      return !equal(left, right())
    default: {
      const order = compareOrder(left, right())
      if (order === null) return false
      if (operator === '<') return order < 0
      if (operator === '<=') return order <= 0
      return operator === '>' ? order > 0 : order >= 0
    }
  }
}

/**
 * Adds two numbers, or texts that spell numbers; joins lists; concatenates anything else as text. An unset value adds
 * nothing.
 */
function add(left: Json, right: Json): Json {
  if (Array.isArray(left) || Array.isArray(right)) {
    const items = [left, right].flatMap((value) => (value === null ? [] : value))
    return keep(items)
  }
  const [a, b] = [addend(left), addend(right)]
  if (a !== null && b !== null && !(isUnset(left) && isUnset(right))) return tidy(a + b)
  return print(left) + print(right)
}

const addend = (value: Json): number | null =>
  isUnset(value) ? 0 : typeof value === 'boolean' ? null : valueAsNumber(value)

function divisor(number: number): number {
  if (number === 0) throw new ExpressionError('Division by zero')
  return number
}

const readPart = (value: Json, key: Json): Json =>
  typeof key === 'number' || typeof key === 'string' ? readKey(value, key) : null

/** Adds a position to problems that have none. */
function locate<Value>(at: number, run: () => Value): Value {
  try {
    return run()
  } catch (error) {
    if (error instanceof ExpressionError && error.at === 0) throw new ExpressionError(error.message, at)
    throw error
  }
}

/** Random numbers from a seed (mulberry32): the same again when the turn is replayed. */
function chances(seed: number): () => number {
  let state = Math.floor(seed * 2 ** 32) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
