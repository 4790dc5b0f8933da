import { defineBlock } from '../../engine/flow/defineBlock'
import { askInput, inputParts, inputPorts, inputReads, inputTexts, inputWrites } from '../../engine/flow/inputFields'
import { now, read } from '../../engine/flow/steps'
import { clockIn, inTimeZone, parseDate, withoutOffset } from '../../engine/values/date'
import { type DynamicValue, dynamicValueVariables } from '../../engine/values/dynamicValue'
import { renderText } from '../../engine/values/render'
import { limitMessage } from '../../engine/values/rules'
import { dateInputFromTypebot } from './import'
import { type DateInputData, dateInputDefaults, dateInputSchema, dateMessage, isLimitWord } from './schema'

/**
 * Asks for a date, a time, or both, or a range (`from/to`), and saves it as ISO 8601. With a fixed time zone, a date
 * with time has that zone's offset; otherwise the visitor's, as sent by the browser.
 */
export const dateInput = defineBlock({
  kind: 'date-input',
  category: 'input',
  title: 'Date input',
  help: 'Asks for a date, a time, or both.',
  schema: dateInputSchema,
  defaults: dateInputDefaults,
  richTexts: ['prompt', 'retryText'],
  visitorTexts: inputTexts,
  visitorParts: inputParts,
  ports: inputPorts,
  reads: (data) => [...inputReads(data), ...[data.min, data.max].flatMap(dynamicValueVariables)],
  writes: inputWrites,
  importers: [dateInputFromTypebot],
  *run(data) {
    const { mode, range, timeZone } = data
    const limits = yield* readLimits(data)
    const request = { input: 'date', mode, range, ...limits, ...(timeZone && { timeZone }) } as const
    const one = (text: string): string | null => {
      const date = parseDate(text, mode)
      const placed = date && mode === 'date-time' && timeZone ? inTimeZone(date, timeZone) : date
      return placed && isWithin(placed, limits) ? placed : null
    }
    const parse = (text: string): string | null => {
      if (!range) return one(text)
      const [from = null, to = null, ...more] = text.split('/').map(one)
      // a time range may cross midnight: 22:00/06:00
      const ordered = from && to && (mode === 'time' || clock(from) <= clock(to))
      return ordered && more.length === 0 ? `${from}/${to}` : null
    }
    const message = (text: string): string => {
      const wellFormed = text.split('/').every((part) => parseDate(part, mode)) && text.includes('/') === range
      return (wellFormed && limitMessage(limits)) || dateMessage(mode, range)
    }
    return yield* askInput(data, request, parse, message)
  },
})

interface Limits {
  min?: string
  max?: string
}

/** The limits in local time. A variable without a valid date sets no limit. */
function* readLimits({ mode, min, max, timeZone }: DateInputData) {
  const variables = yield* read()
  const texts = [min, max].map((value: DynamicValue) => renderText(value, variables).trim())
  const present = texts.some((text) => isLimitWord(text, mode)) ? clockIn(yield* now(), timeZone ?? 'UTC') : ''
  const [from, to] = texts.map((text, at) => {
    if (!isLimitWord(text, mode)) return clock(parseDate(text, mode) ?? '')
    const day = present.slice(0, 10)
    if (mode === 'date') return day
    return text === 'now' ? present : `${day}T${at === 0 ? '00:00' : '23:59'}`
  })
  return { ...(from && { min: from }), ...(to && { max: to }) } as Limits
}

const clock = withoutOffset

const isWithin = (date: string, { min, max }: Limits): boolean =>
  (min === undefined || clock(date) >= min) && (max === undefined || clock(date) <= max)
