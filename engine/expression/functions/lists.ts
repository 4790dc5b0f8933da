import type { Json } from '../../values/json'
import { isUnset, printValue } from '../../values/render'
import { readValuePath } from '../../values/valuePath'
import { compareOrder, contains, type EvaluationContext, equal, numberOf, print } from '../operations'
import { ExpressionError } from '../problem'
import { at, define, type ExpressionFunction } from './define'

/** Unset is an empty list; a single value is a list of one. */
const listOf = (value: Json): Json[] => (Array.isArray(value) ? value : isUnset(value) ? [] : [value])

const ofList = (
  run: (list: Json[], args: readonly Json[], context: EvaluationContext) => Json,
  count: number | [number, number] = 1,
) =>
  define(count, (args, context) => {
    const list = listOf(at(args, 0))
    context.work.spend(list.length)
    return run(list, args, context)
  })

function lengthOf(value: Json): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  return typeof value === 'object' && value !== null ? Object.keys(value).length : printValue(value).length
}

const indexOf = define(2, (args, context) => {
  const [whole, part] = [at(args, 0), at(args, 1)]
  if (!Array.isArray(whole)) return print(whole, context).toLowerCase().indexOf(print(part, context).toLowerCase())
  return whole.findIndex((item) => equal(item, part, context))
})
const slice = define([2, 3], (args, context) => {
  const whole = at(args, 0)
  const from = numberOf(at(args, 1))
  const to = args.length > 2 ? numberOf(at(args, 2)) : undefined
  return Array.isArray(whole) ? whole.slice(from, to) : print(whole, context).slice(from, to)
})
const append = ofList((list, args, { work }) => work.keep([...list, ...args.slice(1)]), [2, 100])
const length = define(1, (args) => lengthOf(at(args, 0)))
const pathOf = (value: Json): string => {
  const text = printValue(value)
  return text.startsWith('.') || text.startsWith('[') ? text : `.${text}`
}

/** Lists and objects. Nothing is changed in place: each gives a new list. */
export const listFunctions: Record<string, ExpressionFunction> = {
  length,
  count: length,
  list: ofList((list) => list),
  at: ofList((list, args) => list.at(Math.trunc(numberOf(at(args, 1)))) ?? null, 2),
  first: ofList((list) => list[0] ?? null),
  last: ofList((list) => list.at(-1) ?? null),
  indexOf,
  slice,
  substring: slice,
  append,
  push: append,
  without: ofList((list, args, context) => list.filter((item) => !equal(item, at(args, 1), context)), 2),
  reverse: ofList((list) => list.toReversed()),
  sort: ofList((list, _args, context) => {
    context.work.spend(list.length * Math.ceil(Math.log2(list.length + 1)))
    return list.toSorted(
      (left, right) => compareOrder(left, right, context) ?? (isUnset(left) ? 1 : 0) - (isUnset(right) ? 1 : 0),
    )
  }),
  unique: ofList((list, _args, context) =>
    list.reduce<Json[]>((kept, item) => {
      if (!kept.some((before) => equal(before, item, context))) kept.push(item)
      return kept
    }, []),
  ),
  join: ofList(
    (list, args, context) => {
      const between = args.length > 1 ? print(at(args, 1), context) : ', '
      context.work.spend(between.length * list.length)
      return list.map((item) => print(item, context)).join(between)
    },
    [1, 2],
  ),
  range: define(2, (args, { work }) => {
    const [from, to] = [Math.trunc(numberOf(at(args, 0))), Math.trunc(numberOf(at(args, 1)))]
    work.spend(to - from + 1)
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  }),
  /** the part of each item that a path names: `pluck(items, "name")` */
  pluck: ofList((list, args) => list.map((item) => readValuePath(item, pathOf(at(args, 1)))), 2),
  /** the items whose part has the value: `where(items, "size", "L")` */
  where: ofList((list, args, context) => {
    const path = pathOf(at(args, 1))
    return list.filter((item) => equal(readValuePath(item, path), at(args, 2), context))
  }, 3),
  /** the item of the other list that stands where the value stands in the first: `lookup(name, names, prices)` */
  lookup: define(3, (args, context) => {
    const place = listOf(at(args, 1)).findIndex((item) => equal(item, at(args, 0), context))
    return place < 0 ? null : (listOf(at(args, 2))[place] ?? null)
  }),
  has: define(2, (args, context) => contains(at(args, 0), at(args, 1), context)),
  keys: define(1, (args) => Object.keys(objectOf(at(args, 0)))),
  values: define(1, (args) => Object.values(objectOf(at(args, 0)))),
  get: define([2, 3], (args) => {
    const found = readValuePath(at(args, 0), pathOf(at(args, 1)))
    return found === null ? at(args, 2) : found
  }),
}

function objectOf(value: Json): Record<string, Json> {
  if (value === null) return {}
  if (typeof value === 'object' && !Array.isArray(value)) return value
  throw new ExpressionError('This is not an object')
}
