import { cleanText } from '../../values/cleanText'
import type { Json } from '../../values/json'
import { matchesPattern, newMatchWork } from '../../values/pattern'
import { isUnset } from '../../values/render'
import { contains, type EvaluationContext, numberOf, print } from '../operations'
import { ExpressionError } from '../problem'
import { ANY, at, define, type ExpressionFunction } from './define'

const text = (args: readonly Json[], index: number, context: EvaluationContext): string =>
  print(at(args, index), context)

const change = (to: (value: string) => string) => define(1, (args, context) => to(text(args, 0, context)))

const upper = change((value) => value.toUpperCase())
const lower = change((value) => value.toLowerCase())
const trim = change((value) => value.trim())
const asText = change((value) => value)
const startsWith = define(2, (args, context) => text(args, 0, context).startsWith(text(args, 1, context)))
const endsWith = define(2, (args, context) => text(args, 0, context).endsWith(text(args, 1, context)))
const replace = define(3, (args, context) => {
  const pieces = text(args, 0, context).split(text(args, 1, context))
  const by = text(args, 2, context)
  context.work.spend(pieces.length * (by.length + 1))
  return pieces.join(by)
})
const pad = (side: 'padStart' | 'padEnd') =>
  define([2, 3], (args, context) => {
    const length = Math.floor(numberOf(at(args, 1)))
    const fill = args.length > 2 ? text(args, 2, context) : ' '
    context.work.spend(length)
    return text(args, 0, context)[side](length, fill)
  })

/** Texts. `replace` replaces all occurrences; `contains` looks into lists and objects too. */
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
  concat: define(ANY, (args, context) => args.map((_, index) => text(args, index, context)).join('')),
  contains: define(2, (args, context) => contains(at(args, 0), at(args, 1), context)),
  includes: define(2, (args, context) => contains(at(args, 0), at(args, 1), context)),
  startsWith,
  endsWith,
  replace,
  replaceAll: replace,
  split: define(2, (args, context) => {
    const pieces = text(args, 0, context).split(text(args, 1, context))
    context.work.spend(pieces.length)
    return pieces
  }),
  repeat: define(2, (args, context) => {
    const value = text(args, 0, context)
    const times = Math.max(0, Math.floor(numberOf(at(args, 1))))
    context.work.spend(value.length * times)
    return value === '' ? '' : value.repeat(times)
  }),
  padStart: pad('padStart'),
  padEnd: pad('padEnd'),
  matches: define(2, (args, context) =>
    matchesPattern(text(args, 1, context), text(args, 0, context), patternWork(context)),
  ),
  urlEncode: define(1, (args, context) => encodeURIComponent(cleanText(text(args, 0, context)))),
  isEmpty: define(1, (args) => isUnset(at(args, 0))),
  parseJson: define(1, (args, context) => {
    try {
      return JSON.parse(text(args, 0, context)) as Json
    } catch {
      throw new ExpressionError('The text is not JSON')
    }
  }),
  toJson: define(1, (args, context) => {
    const written = JSON.stringify(context.work.keep(at(args, 0)))
    context.work.spend(written.length)
    return written
  }),
}

/** All patterns of one evaluation share what patterns may cost. */
const patternWorks = new WeakMap<EvaluationContext, ReturnType<typeof newMatchWork>>()
function patternWork(context: EvaluationContext) {
  const work = patternWorks.get(context) ?? newMatchWork()
  patternWorks.set(context, work)
  return work
}
