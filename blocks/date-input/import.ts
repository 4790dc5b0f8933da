import { fieldsOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter, ImportContext } from '../../engine/interop/importer'
import { INPUT_SETTINGS, inputSettings, noteOthers } from '../../engine/interop/settings'
import { type DateMode, parseDate } from '../../engine/values/date'
import { staticValue } from '../../engine/values/dynamicValue'
import { dateInputDefaults } from './schema'

/** A date or time input. The answer's `format` has no counterpart: here it is ISO 8601. */
export const dateInputFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['date input', 'time input'],
  map(block, context) {
    const options = fieldsOf(block.options)
    noteOthers(options, [...INPUT_SETTINGS, 'hasTime', 'isRange', 'min', 'max', 'format'], context)
    if (textOf(options.format)) context.note('The format of its answer is left out: answers are kept as 2026-11-21.')
    const { from: _from, to: _to, ...labels } = fieldsOf(options.labels)
    const mode = block.type === 'time input' ? 'time' : options.hasTime === true ? 'date-time' : 'date'
    return {
      data: {
        ...dateInputDefaults(),
        ...inputSettings({ ...options, labels }, context),
        mode,
        range: options.isRange === true,
        min: limit('earliest', options.min, mode, context),
        max: limit('latest', options.max, mode, context),
      },
      ports: { default: 'next' },
    }
  },
}

function limit(name: string, value: unknown, mode: DateMode, context: ImportContext) {
  const text = textOf(value).trim()
  const date = parseDate(mode === 'date' ? text.slice(0, 10) : text, mode)
  if (text !== '' && date === null) context.note(`The ${name} date '${text.slice(0, 40)}' is not one and is left out.`)
  return staticValue(date ?? '')
}
