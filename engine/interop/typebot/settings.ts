import type { InputFields } from '../../flow/inputFields'
import { caps, counts } from '../../values/caps'
import type { DynamicValue } from '../../values/dynamicValue'
import type { ImportContext } from '../importer'
import { clip, type Fields, fieldsOf, textOf } from './fields'

/** Notes every setting that the mapping does not know, so that nothing is lost in silence. */
export function noteOthers(settings: Fields, known: readonly string[], context: ImportContext): void {
  for (const [name, value] of Object.entries(settings)) {
    if (!known.includes(name) && !isUnset(value)) context.note(leftOut(name))
  }
}

export const leftOut = (name: string): string =>
  `The setting '${clip(name, 40)}' has no counterpart here and is left out.`

/** Says nothing: absent, off or empty. */
export const isUnset = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === false ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0) ||
  fieldsOf(value).isEnabled === false

/** The settings that all of the product's inputs share. It asks until the answer is valid: here, as often as can be. */
export const INPUT_SETTINGS = ['labels', 'variableId', 'retryMessageContent'] as const

export function inputSettings(options: Fields, context: ImportContext): Partial<InputFields> {
  const labels = fieldsOf(options.labels)
  noteButton(labels.button, context)
  noteOthers(labels, ['placeholder', 'button'], context)
  return {
    placeholder: context.text(labels.placeholder, caps.placeholder),
    saveTo: context.variable(options.variableId),
    attempts: counts.attempts,
    ...(textOf(options.retryMessageContent) ? { retryText: context.richText(options.retryMessageContent) } : {}),
  }
}

/** Inputs here have no label of their own for the button that sends. */
export function noteButton(label: unknown, context: ImportContext): void {
  const text = textOf(label).trim()
  if (text && text !== 'Send')
    context.note(`The button that sends was called '${clip(text, 40)}': here it has no name of its own.`)
}

export const isEmptyValue = (value: DynamicValue): boolean => value.type === 'static' && value.value === ''
