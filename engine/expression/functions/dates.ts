import { charge } from '../../budget'
import type { Json } from '../../values/json'
import {
  addDays,
  addMonths,
  daysBetween,
  formatMoment,
  inZone,
  type Moment,
  momentOf,
  parseMoment,
  printMoment,
} from '../calendar'
import { type EvaluationContext, numberOf, print } from '../operations'
import { at, define, type ExpressionFunction } from './define'
import { localWords } from './locale'

const nowOf = ({ now }: EvaluationContext): Moment => parseMoment(now ?? '')
function moment(args: readonly Json[], index = 0): Moment {
  charge(DATE)
  const value = at(args, index)
  return typeof value === 'number' ? momentOf(value) : parseMoment(print(value))
}

/** The cost of parsing and printing a date. */
const DATE = 500
function local(value: Moment, zone: Json): Moment {
  if (zone === null) return value
  charge(ZONE)
  return inZone(value, print(zone))
}

/** The cost of a time zone lookup. */
const ZONE = 20_000

const part = (name: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'weekday') =>
  define([1, 2], (args) => local(moment(args), at(args, 1))[name])

const MILLISECONDS = { minutes: 60_000, hours: 3_600_000 }
const addTime = (unit: keyof typeof MILLISECONDS) =>
  define(2, (args) => printMoment(momentOf(moment(args).milliseconds + numberOf(at(args, 1)) * MILLISECONDS[unit])))

/**
 * Dates are ISO 8601 texts in UTC; a date without a time (`2026-11-21`) stays one. The last argument may be a time
 * zone.
 */
export const dateFunctions: Record<string, ExpressionFunction> = {
  now: define(0, (_args, context) => printMoment(nowOf(context)), 'now'),
  today: define(
    [0, 1],
    (args, context) => printMoment({ ...local(nowOf(context), at(args, 0)), dayOnly: true }),
    'now',
  ),
  date: define(1, (args) => printMoment(moment(args))),
  /** milliseconds since 1970; `date` converts such a number back */
  timestamp: define(1, (args) => moment(args).milliseconds),
  toLocaleString: localWords('dateTime'),
  toLocaleDateString: localWords('date'),
  toLocaleTimeString: localWords('time'),
  addDays: define(2, (args) => printMoment(addDays(moment(args), numberOf(at(args, 1))))),
  addMonths: define(2, (args) => printMoment(addMonths(moment(args), numberOf(at(args, 1))))),
  addYears: define(2, (args) => printMoment(addMonths(moment(args), Math.trunc(numberOf(at(args, 1))) * 12))),
  addHours: addTime('hours'),
  addMinutes: addTime('minutes'),
  daysBetween: define(2, (args) => daysBetween(moment(args, 0), moment(args, 1))),
  year: part('year'),
  month: part('month'),
  day: part('day'),
  hour: part('hour'),
  minute: part('minute'),
  weekday: part('weekday'),
  formatDate: define([2, 3], (args) => formatMoment(local(moment(args), at(args, 2)), print(at(args, 1)))),
  timeOfDay: define([1, 2], (args) => {
    const { hour } = local(moment(args), at(args, 1))
    return hour < 6 ? 'night' : hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : hour < 22 ? 'evening' : 'night'
  }),
}
