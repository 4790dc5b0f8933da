import { charge } from '../../budget'
import type { Json } from '../../values/json'
import { isUnset, printValue } from '../../values/render'
import { finite, isTrue, knownNumber, numberOf, tidy } from '../operations'
import { ExpressionError } from '../problem'
import { ANY, at, define, type ExpressionFunction } from './define'

const single = (to: (value: number) => number) => define(1, (args) => finite(to(numberOf(at(args, 0)))))

/** The numbers of one list or of several arguments, without unset values. */
function numbers(args: readonly Json[]): number[] {
  charge(args.reduce<number>((sum, value) => sum + (Array.isArray(value) ? value.length : 1), 0) * NUMBER)
  return args
    .flat()
    .filter((value) => !isUnset(value))
    .map(numberOf)
}

/** The cost of a number read from a list. */
const NUMBER = 20

function rounded(args: readonly Json[]): number {
  const digits = places(at(args, 1))
  // by its decimal digits, so that 1.005 becomes 1.01
  const [whole, exponent = '0'] = `${tidy(numberOf(at(args, 0)))}`.split('e')
  const shifted = Math.round(Math.abs(Number(`${whole}e${Number(exponent) + digits}`)))
  return finite(Math.sign(Number(whole)) * Number(`${shifted}e${-digits}`))
}

function places(value: Json): number {
  const digits = Math.floor(numberOf(value))
  if (digits < 0 || digits > 15) throw new ExpressionError('Digits are from 0 to 15')
  return digits
}

const number = define(1, (args) => numberOf(at(args, 0)))
const power = define(2, (args) => tidy(numberOf(at(args, 0)) ** numberOf(at(args, 1))))
const fixed = define([1, 2], (args) => rounded(args).toFixed(places(at(args, 1))))

/** Numbers, and texts that spell numbers. `round(2.345, 2)` rounds half away from zero. */
export const numberFunctions: Record<string, ExpressionFunction> = {
  number,
  Number: number,
  parseFloat: number,
  parseInt: define([1, 2], (args) => Math.trunc(numberOf(at(args, 0)))),
  round: define([1, 2], rounded),
  floor: single(Math.floor),
  ceil: single(Math.ceil),
  trunc: single(Math.trunc),
  abs: single(Math.abs),
  sqrt: define(1, (args) => {
    const value = numberOf(at(args, 0))
    if (value < 0) throw new ExpressionError('A negative number has no square root')
    return Math.sqrt(value)
  }),
  pow: power,
  power,
  fixed,
  toFixed: fixed,
  min: define(ANY, (args) =>
    numbers(args).reduce<number | null>((least, next) => (least === null || next < least ? next : least), null),
  ),
  max: define(ANY, (args) =>
    numbers(args).reduce<number | null>((most, next) => (most === null || next > most ? next : most), null),
  ),
  sum: define(ANY, (args) => tidy(numbers(args).reduce((sum, next) => sum + next, 0))),
  average: define(ANY, (args) => {
    const all = numbers(args)
    return all.length === 0 ? null : tidy(all.reduce((sum, next) => sum + next, 0) / all.length)
  }),
  isNumber: define(1, (args) => knownNumber(at(args, 0)) !== null),
  /** `random()` in [0, 1); `random(1, 6)` an integer between both, inclusive */
  random: define(
    [0, 2],
    (args, { draw }) => {
      if (args.length === 0) return draw()
      const [from, to] = args.length === 1 ? [0, numberOf(at(args, 0))] : [numberOf(at(args, 0)), numberOf(at(args, 1))]
      if (to < from) throw new ExpressionError(`There is no number from ${printValue(from)} to ${printValue(to)}`)
      return Math.floor(from) + Math.floor(draw() * (Math.floor(to) - Math.floor(from) + 1))
    },
    'chance',
  ),
  if: define([2, 3], (args) => (isTrue(at(args, 0)) ? at(args, 1) : at(args, 2))),
  default: define(2, (args) => (isUnset(at(args, 0)) ? at(args, 1) : at(args, 0))),
}
