import { BudgetSpent, charge } from '../../budget'
import { cleanText } from '../../values/cleanText'
import { splitAt } from '../../values/findPart'
import type { Json } from '../../values/json'
import { matchesPattern } from '../../values/pattern'
import { isUnset } from '../../values/render'
import { contains, numberOf, print } from '../operations'
import { ExpressionError } from '../problem'
import { keep } from '../work'
import { ANY, at, define, type ExpressionFunction } from './define'

/** The cost of a piece of text in addition to its characters, and of a URL-encoded character. */
const PIECE = 5
const ENCODED = 10

const text = (args: readonly Json[], index: number): string => print(at(args, index))

const change = (to: (value: string) => string) =>
  define(1, (args) => {
    const value = text(args, 0)
    charge(value.length)
    return to(value)
  })

const upper = change((value) => value.toUpperCase())
const lower = change((value) => value.toLowerCase())
const trim = change((value) => value.trim())
const asText = change((value) => value)
const startsWith = define(2, (args) => text(args, 0).startsWith(text(args, 1)))
const endsWith = define(2, (args) => text(args, 0).endsWith(text(args, 1)))
const replace = define(3, (args) => {
  const pieces = splitAt(text(args, 0), text(args, 1))
  const by = text(args, 2)
  charge(pieces.length * (by.length + PIECE))
  return pieces.join(by)
})
const pad = (side: 'padStart' | 'padEnd') =>
  define([2, 3], (args) => {
    const length = Math.floor(numberOf(at(args, 1)))
    const fill = args.length > 2 ? text(args, 2) : ' '
    charge(Math.max(0, length))
    return text(args, 0)[side](length, fill)
  })

const urlEncode = define(1, (args) => {
  const value = text(args, 0)
  charge(value.length * ENCODED)
  return encodeURIComponent(cleanText(value))
})

/** Texts. `replace` replaces all occurrences; `contains` also searches lists and objects. */
export const textFunctions: Record<string, ExpressionFunction> = {
  text: asText,
  String: asText,
  toString: asText,
  upper,
  toUpperCase: upper,
  lower,
  toLowerCase: lower,
  trim,
  capitalize: change((value) => value.charAt(0).toUpperCase() + value.slice(1)),
  // with a list: its items and those of the others
  concat: define(ANY, (args) =>
    Array.isArray(at(args, 0))
      ? keep(args.flatMap((value) => (isUnset(value) ? [] : value)))
      : args.map((_, index) => text(args, index)).join(''),
  ),
  contains: define(2, (args) => contains(at(args, 0), at(args, 1))),
  includes: define(2, (args) => contains(at(args, 0), at(args, 1))),
  startsWith,
  endsWith,
  replace,
  replaceAll: replace,
  split: define(2, (args) => {
    const pieces = splitAt(text(args, 0), text(args, 1))
    charge(pieces.length * PIECE)
    return pieces
  }),
  repeat: define(2, (args) => {
    const value = text(args, 0)
    const times = Math.max(0, Math.floor(numberOf(at(args, 1))))
    charge(value.length * times)
    return value === '' ? '' : value.repeat(times)
  }),
  padStart: pad('padStart'),
  padEnd: pad('padEnd'),
  matches: define(2, (args) => matchesPattern(text(args, 1), text(args, 0))),
  urlEncode,
  encodeURIComponent: urlEncode,
  isEmpty: define(1, (args) => isUnset(at(args, 0))),
  parseJson: define(1, (args) => {
    const source = text(args, 0)
    charge(source.length)
    try {
      return keep(JSON.parse(source) as Json)
    } catch (error) {
      if (error instanceof BudgetSpent || error instanceof ExpressionError) throw error
      throw new ExpressionError('The text is not JSON')
    }
  }),
  toJson: define(1, (args) => {
    const written = JSON.stringify(keep(at(args, 0)))
    charge(written.length)
    return written
  }),
}
