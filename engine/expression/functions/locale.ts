import { charge } from '../../budget'
import type { Json } from '../../values/json'
import { momentOf, parseMoment } from '../calendar'
import { knownNumber, print } from '../operations'
import { ExpressionError } from '../problem'
import { at, define, type ExpressionFunction } from './define'

/** The cost of loading a language. */
const LANGUAGE = 20_000

/**
 * A date or a number in the format of a language: `toLocaleString(date, "de", {timeZone: "Europe/Berlin"})`. Same as
 * JavaScript, with the same options; the default time zone is UTC. Any other text is returned unchanged.
 */
export const localWords = (parts: 'dateTime' | 'date' | 'time'): ExpressionFunction =>
  define([1, 3], (args) => {
    charge(LANGUAGE)
    const value = at(args, 0)
    const number = parts === 'dateTime' ? knownNumber(value) : null
    const [locale, options] = [localeOf(at(args, 1)), optionsOf(at(args, 2))]
    try {
      if (number !== null) return new Intl.NumberFormat(locale, options as Intl.NumberFormatOptions).format(number)
      const { milliseconds } = typeof value === 'number' ? momentOf(value) : parseMoment(print(value))
      return new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...shape(parts, options) }).format(milliseconds)
    } catch (error) {
      if (error instanceof ExpressionError) throw error
      throw new ExpressionError('The language, the time zone or a setting is not known')
    }
  })

const localeOf = (value: Json): string => (value === null ? 'en-US' : print(value))

/** Only own fields that are texts, numbers or booleans count as options. */
function optionsOf(value: Json): Record<string, Json> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => typeof field !== 'object')
      .slice(0, 20),
  )
}

const DATE = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
const TIME = { hour: 'numeric', minute: 'numeric', second: 'numeric' } as const
const OF_DATE = ['weekday', 'year', 'month', 'day', 'dateStyle']
const OF_TIME = ['hour', 'minute', 'second', 'dayPeriod', 'fractionalSecondDigits', 'timeStyle']

/** The default parts to show, as in JavaScript. */
function shape(parts: 'dateTime' | 'date' | 'time', options: Record<string, Json>): Intl.DateTimeFormatOptions {
  const names = (keys: readonly string[]) => keys.some((key) => key in options)
  const wanted =
    parts === 'date'
      ? !names(OF_DATE) && DATE
      : parts === 'time'
        ? !names(OF_TIME) && TIME
        : !names([...OF_DATE, ...OF_TIME]) && { ...DATE, ...TIME }
  return { ...(wanted || {}), ...(options as Intl.DateTimeFormatOptions) }
}
