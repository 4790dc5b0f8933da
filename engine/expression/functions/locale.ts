import { charge } from '../../budget'
import type { Json } from '../../values/json'
import { momentOf, parseMoment } from '../calendar'
import { knownNumber, print } from '../operations'
import { ExpressionError } from '../problem'
import { at, define, type ExpressionFunction } from './define'

/** What setting up the words of a language costs. */
const LANGUAGE = 20_000

/**
 * A date or a number in the words of a language: `toLocaleString(date, "de", {timeZone: "Europe/Berlin"})`. As JavaScript has it, with its
 * names of settings; without a time zone it is UTC. Of a text that is neither a date nor a number the text itself.
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

/** Own fields of texts, numbers and booleans: nothing else is a setting. */
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

/** Which parts are shown where the settings name none: as JavaScript fills in. */
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
