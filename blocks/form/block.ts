import { defineBlock, type Port } from '../../engine/flow/defineBlock'
import type { InputRequest } from '../../engine/flow/effects'
import { listening, listenPorts, timeoutOf } from '../../engine/flow/inputFields'
import { ask, channel, read, say, setVariable } from '../../engine/flow/steps'
import { textPart } from '../../engine/flow/visitorParts'
import { counts } from '../../engine/values/caps'
import { dynamicValueVariables, isBlankValue } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { isUnset, printValue, renderText, type Variables, variableValue } from '../../engine/values/render'
import { richTextVariables } from '../../engine/values/richText'
import { askInTurn } from './askInTurn'
import { formFromDify } from './fromDify'
import { formFromFlowise } from './fromFlowise'
import { type Entry, type FieldRequest, longestOf, readEntry } from './readEntry'
import { type FormData, type FormField, formDefaults, formSchema, hasChoices, isSkippable } from './schema'

/**
 * Asks for several things at once. Every entry is validated; if one is invalid, the form is asked again with all
 * entries and the problem at each field, and nothing is saved. After ten such replies the conversation goes on, by
 * `skip` if possible. A channel without forms is asked field by field (`askInTurn`).
 */
export const form = defineBlock({
  kind: 'form',
  category: 'input',
  title: 'Form',
  help: 'Asks for several details at once.',
  schema: formSchema,
  defaults: formDefaults,
  richTexts: ['prompt'],
  wants: 'form',
  instead: 'fields',
  visitorParts: ({ prompt }) => [textPart('prompt', prompt)],
  visitorTexts: ['prompt', 'fields.*.label', 'fields.*.placeholder', 'fields.*.choices.*.label', 'submitLabel'],
  importers: [formFromDify, formFromFlowise],
  ports,
  reads: (data) => [
    ...richTextVariables(data.prompt),
    ...dynamicValueVariables(data.submitLabel),
    ...data.fields.flatMap(({ label, placeholder, choices, saveTo }) => [
      ...[label, placeholder, ...choices.map((choice) => choice.label)].flatMap(dynamicValueVariables),
      ...(saveTo ? [saveTo] : []),
    ]),
  ],
  writes: (data) => data.fields.flatMap(({ saveTo }) => saveTo ?? []),
  needs: (data) => [
    ...richTextVariables(data.prompt),
    ...[
      data.submitLabel,
      ...data.fields.flatMap(({ label, placeholder, choices }) => [
        ...[label, placeholder],
        ...choices.map((choice) => choice.label),
      ]),
    ].flatMap(dynamicValueVariables),
  ],
  problems: ({ fields }) =>
    fields.length === 0
      ? [{ path: 'fields', message: 'Add a field' }]
      : fields.flatMap((field, at) => [
          ...(isBlankValue(field.label) ? [{ path: `fields.${at}.label`, message: 'Enter a label' }] : []),
          ...(hasChoices(field) && field.choices.length === 0
            ? [{ path: `fields.${at}.choices`, message: 'Add a choice' }]
            : []),
        ]),
  *run(data) {
    yield* say(data.prompt)
    if (data.fields.length === 0) return 'next'
    const variables = yield* read()
    const request = {
      input: 'form',
      ...timeoutOf(data),
      required: !isSkippable(data),
      submitLabel: renderText(data.submitLabel, variables),
      fields: data.fields.map((field) => presentField(field, variables)),
    } satisfies InputRequest
    const { features } = yield* channel()
    if (!features.includes('form')) return yield* askInTurn(request, data)
    for (let attempt = 1; attempt <= counts.attempts; attempt++) {
      const reply = yield* ask(request, listening(data))
      if (reply.type === 'timeout') return 'no-reply'
      if (reply.type === 'skip' && isSkippable(data)) return 'skip'
      if (reply.type !== 'form') continue
      const entries = new Map<string, Entry>(Object.entries(reply.values))
      const answers = request.fields.map((field) => ({ field, answer: readEntry(field, entries.get(field.id)) }))
      if (!answers.some(({ answer }) => 'problem' in answer)) {
        for (const [at, { answer }] of answers.entries()) {
          const saveTo = data.fields[at]?.saveTo
          if (saveTo && 'value' in answer) yield* setVariable(saveTo, answer.value)
        }
        return 'next'
      }
      request.fields = answers.map(({ field, answer }) => withProblem(field, entries.get(field.id), answer))
    }
    return isSkippable(data) ? 'skip' : 'next'
  },
})

function ports(data: FormData): Port<'next' | 'skip' | 'no-reply'>[] {
  return [
    { id: 'next' },
    ...(isSkippable(data) ? [{ id: 'skip' as const, label: 'Skip', fallback: 'next' as const }] : []),
    ...listenPorts(data, 'next'),
  ]
}

/** A field is prefilled with its variable's value, for confirmation. */
function presentField(field: FormField, variables: Variables): FieldRequest {
  const known = variableValue(variables, field.saveTo)
  return {
    id: field.id,
    label: renderText(field.label, variables),
    type: field.type,
    required: field.required,
    placeholder: renderText(field.placeholder, variables),
    choices: hasChoices(field)
      ? [...new Set(field.choices.map(({ label }) => renderText(label, variables).trim()))].filter(Boolean)
      : [],
    ...longestOf(field.type),
    ...(!isUnset(known) && { value: asEntry(field, known) }),
  }
}

const asEntry = ({ type }: FormField, value: Json): Entry =>
  type === 'multiple' ? (Array.isArray(value) ? value : [value]).map(printValue) : printValue(value)

function withProblem(field: FieldRequest, entry: Entry | undefined, answer: ReturnType<typeof readEntry>) {
  const { value: _value, problem: _problem, ...rest } = field
  return {
    ...rest,
    ...('problem' in answer && { problem: answer.problem }),
    ...(entry !== undefined && { value: entry }),
  }
}
