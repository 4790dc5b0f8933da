import type { InputFields } from '../flow/inputFields'
import { caps, counts } from '../values/caps'
import type { DynamicValue } from '../values/dynamicValue'
import { clip, type Fields, fieldsOf, textOf } from './fields'
import type { ImportContext } from './importer'

/** Notes every setting that the importer does not know, so that nothing is dropped silently. */
export function noteOthers(settings: Fields, known: readonly string[], context: ImportContext): void {
  for (const [name, value] of Object.entries(settings)) {
    if (!known.includes(name) && !isUnset(value)) context.note(leftOut(name))
  }
}

export const leftOut = (name: string): string =>
  `The setting '${clip(name, 40)}' has no counterpart here and is left out.`

/** Whether a setting has no effect: absent, off or empty. */
export const isUnset = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === false ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0) ||
  fieldsOf(value).isEnabled === false

/** Settings that all of the product's inputs share. It asks until the answer is valid: here, as often as allowed. */
export const INPUT_SETTINGS = ['labels', 'variableId', 'retryMessageContent'] as const

export function inputSettings(options: Fields, context: ImportContext): Partial<InputFields> {
  const labels = fieldsOf(options.labels)
  noteButton(labels.button, context)
  noteOthers(labels, ['placeholder', 'button'], context)
  return {
    placeholder: placeholderOf(labels.placeholder, context),
    saveTo: answerVariable(options.variableId, context),
    attempts: counts.attempts,
    ...(textOf(options.retryMessageContent) ? { retryText: context.richText(options.retryMessageContent) } : {}),
  }
}

/** The variable that stores an answer. The product appends to a list variable; here the answer replaces the list. */
export function answerVariable(foreignId: unknown, context: ImportContext): string | null {
  if (context.isList(foreignId))
    context.note(
      'The answer was appended to its list: here it replaces it. Keep it in another variable, and append that.',
    )
  return context.variable(foreignId)
}

/** A placeholder has at most 30 characters: a longer one is cut at a word, and the note has the full text. */
function placeholderOf(value: unknown, context: ImportContext): DynamicValue {
  const text = textOf(value)
  // variable names don't count
  if (text.replace(/\{\{[^{}]*\}\}/g, '').length <= caps.placeholder) return context.text(text, caps.placeholder)
  const start = clip(text, caps.placeholder - 1)
  // don't cut within a name
  const whole = start.slice(
    0,
    start.lastIndexOf('{{') > start.lastIndexOf('}}') ? start.lastIndexOf('{{') : start.length,
  )
  const cut = whole.length === text.length || !/\s\S/.test(whole) ? whole : whole.replace(/\s+\S*$/, '')
  context.note(
    `The placeholder '${clip(text, 300)}' is longer than ${caps.placeholder} characters: it begins like that here.`,
  )
  return context.text(`${cut}…`, caps.placeholder)
}

/** Inputs here have no label for their send button. */
export function noteButton(label: unknown, context: ImportContext): void {
  const text = textOf(label).trim()
  if (text && text !== 'Send')
    context.note(`The button that sends was called '${clip(text, 40)}': here it has no name of its own.`)
}

export const isEmptyValue = (value: DynamicValue): boolean => value.type === 'static' && value.value === ''
