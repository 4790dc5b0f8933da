import { charge } from '../../budget'
import { findPart } from '../../values/findPart'
import type { Json } from '../../values/json'
import { isUnset, printValue } from '../../values/render'
import { PATH_CAP, parseValuePath, readSteps } from '../../values/valuePath'
import { compareOrder, contains, equal, identityOf, numberOf, print } from '../operations'
import { ExpressionError } from '../problem'
import { keep } from '../work'
import { at, define, type ExpressionFunction } from './define'

/** Unset is an empty list; a single value is a list of one. */
const listOf = (value: Json): Json[] => (Array.isArray(value) ? value : isUnset(value) ? [] : [value])

/** The cost of a list item. */
const ITEM = 5

function paid<Item>(list: Item[]): Item[] {
  charge(list.length * ITEM)
  return list
}

const ofList = (run: (list: Json[], args: readonly Json[]) => Json, count: number | [number, number] = 1) =>
  define(count, (args) => {
    const list = listOf(at(args, 0))
    charge(list.length * ITEM)
    return run(list, args)
  })

function lengthOf(value: Json): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  return typeof value === 'object' && value !== null ? paid(Object.keys(value)).length : printValue(value).length
}

const indexOf = define(2, (args) => {
  const [whole, part] = [at(args, 0), at(args, 1)]
  if (!Array.isArray(whole)) return findPart(print(whole).toLowerCase(), print(part).toLowerCase())
  return whole.findIndex((item) => equal(item, part))
})
const slice = define([2, 3], (args) => {
  const whole = at(args, 0)
  const from = numberOf(at(args, 1))
  const to = args.length > 2 ? numberOf(at(args, 2)) : undefined
  return Array.isArray(whole) ? paid(whole.slice(from, to)) : print(whole).slice(from, to)
})
const append = ofList((list, args) => keep([...list, ...args.slice(1)]), [2, 100])
const length = define(1, (args) => lengthOf(at(args, 0)))
/** The steps of a path, whose leading dot is optional; null for an invalid path. */
function pathOf(value: Json): (string | number)[] | null {
  const text = print(value)
  const path = text.startsWith('.') || text.startsWith('[') ? text : `.${text}`
  if (path.length > PATH_CAP) {
    throw new ExpressionError(
      `A path has at most ${PATH_CAP} characters, this one has ${path.length}: name a shorter way`,
    )
  }
  return parseValuePath(path)
}

const partOf = (value: Json, path: (string | number)[] | null): Json => path && readSteps(value, path)

/** Lists and objects. Every function returns a new list. */
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
  without: ofList((list, args) => list.filter((item) => !equal(item, at(args, 1))), 2),
  reverse: ofList((list) => list.toReversed()),
  sort: ofList((list) => {
    return list.toSorted(
      (left, right) => compareOrder(left, right) ?? (isUnset(left) ? 1 : 0) - (isUnset(right) ? 1 : 0),
    )
  }),
  unique: ofList((list) => {
    const kept = new Map<string, Json>()
    for (const item of list) {
      const key = identityOf(item)
      if (!kept.has(key)) kept.set(key, item)
    }
    return [...kept.values()]
  }),
  join: ofList(
    (list, args) => {
      const between = args.length > 1 ? print(at(args, 1)) : ', '
      charge((between.length + ITEM) * list.length)
      return list.map((item) => print(item)).join(between)
    },
    [1, 2],
  ),
  range: define(2, (args) => {
    const [from, to] = [Math.trunc(numberOf(at(args, 0))), Math.trunc(numberOf(at(args, 1)))]
    charge(Math.max(0, to - from + 1) * ITEM)
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  }),
  /** the value at a path of each item: `pluck(items, "name")` */
  pluck: ofList((list, args) => {
    const path = pathOf(at(args, 1))
    return list.map((item) => partOf(item, path))
  }, 2),
  /** the items whose value at a path is equal: `where(items, "size", "L")` */
  where: ofList((list, args) => {
    const path = pathOf(at(args, 1))
    return list.filter((item) => equal(partOf(item, path), at(args, 2)))
  }, 3),
  /** the item of the second list at the value's index in the first: `lookup(name, names, prices)` */
  lookup: define(3, (args) => {
    const place = listOf(at(args, 1)).findIndex((item) => equal(item, at(args, 0)))
    return place < 0 ? null : (listOf(at(args, 2))[place] ?? null)
  }),
  has: define(2, (args) => contains(at(args, 0), at(args, 1))),
  keys: define(1, (args) => paid(Object.keys(objectOf(at(args, 0))))),
  values: define(1, (args) => paid(Object.values(objectOf(at(args, 0))))),
  get: define([2, 3], (args) => {
    const found = partOf(at(args, 0), pathOf(at(args, 1)))
    return found === null ? at(args, 2) : found
  }),
}

function objectOf(value: Json): Record<string, Json> {
  if (value === null) return {}
  if (typeof value === 'object' && !Array.isArray(value)) return value
  throw new ExpressionError('This is not an object')
}
