import { chosenIn } from '../../engine/flow/chosenIn'
import { defineBlock, type Port } from '../../engine/flow/defineBlock'
import type { InputRequest, Reply } from '../../engine/flow/effects'
import { listening, listenPorts, timeoutOf } from '../../engine/flow/inputFields'
import { ratingIn } from '../../engine/flow/ratingIn'
import { ask, read, say, setVariable } from '../../engine/flow/steps'
import { optionsPart, textPart } from '../../engine/flow/visitorParts'
import { caps, counts, tooLong } from '../../engine/values/caps'
import { dynamicValueVariables } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { renderText, type Variables } from '../../engine/values/render'
import { plainRichText, richTextVariables } from '../../engine/values/richText'
import { satisfactionFromTypebot } from './import'
import { hasLow, isNamed, range, type SatisfactionData, satisfactionDefaults, satisfactionSchema } from './schema'

type SatisfactionPort = 'next' | 'skip' | 'low' | 'no-reply'

/**
 * Asks how satisfied the visitor is: a rating on a scale (saved as a number), one or several options (their labels), or
 * a text. A typed rating or label counts as chosen. After an invalid reply it asks again; after ten it goes on by
 * `next`.
 */
export const satisfaction = defineBlock({
  kind: 'satisfaction',
  category: 'input',
  title: 'Satisfaction',
  help: 'Asks how satisfied the visitor is.',
  schema: satisfactionSchema,
  defaults: satisfactionDefaults,
  richTexts: ['prompt'],
  visitorTexts: ['prompt', 'levels.*.label', 'options.*.label', 'placeholder'],
  visitorParts: ({ prompt, answer, scale, levels, options }) => [
    textPart('prompt', prompt),
    ...(answer === 'rating' && isNamed(scale) ? [optionsPart('levels', levels)] : []),
    ...(answer === 'single' ? [optionsPart('options', options)] : []),
  ],
  ports,
  reads: (data) => [
    ...richTextVariables(data.prompt),
    ...[data.placeholder, ...[...data.levels, ...data.options].map(({ label }) => label)].flatMap(
      dynamicValueVariables,
    ),
  ],
  writes: ({ saveTo }) => (saveTo === null ? [] : [saveTo]),
  problems: ({ answer, options }) =>
    (answer === 'single' || answer === 'multiple') && options.length === 0
      ? [{ path: 'options', message: 'Add an option' }]
      : [],
  importers: [satisfactionFromTypebot],
  *run(data) {
    yield* say(data.prompt)
    const question = questionOf(data, yield* read())
    if ('options' in question.request && question.request.options.length === 0) return 'next'
    for (let attempt = 1; attempt <= counts.attempts; attempt++) {
      const reply = yield* ask({ ...question.request, ...timeoutOf(data) }, listening(data))
      if (reply.type === 'timeout') return 'no-reply'
      if (!data.required && isSkip(reply)) return 'skip'
      const value = question.valueOf(reply)
      if (value !== null) {
        if (data.saveTo) yield* setVariable(data.saveTo, value)
        return hasLow(data) && typeof value === 'number' && value <= (data.low ?? 0) ? 'low' : 'next'
      }
      if (data.answer === 'text' && reply.type === 'text' && reply.text.trim() !== '')
        yield* say(plainRichText(tooLong(caps.satisfaction)))
    }
    return 'next'
  },
})

function ports(data: SatisfactionData): Port<SatisfactionPort>[] {
  return [
    { id: 'next' },
    ...(data.required ? [] : [{ id: 'skip' as const, label: 'Skip', fallback: 'next' as const }]),
    ...(hasLow(data) ? [{ id: 'low' as const, label: `Low score, up to ${data.low}`, fallback: 'next' as const }] : []),
    ...listenPorts(data, 'next'),
  ]
}

const isSkip = (reply: Reply): boolean => reply.type === 'skip' || (reply.type === 'text' && reply.text.trim() === '')

interface Question {
  request: InputRequest
  /** null for an invalid reply */
  valueOf: (reply: Reply) => Json
}

function questionOf(data: SatisfactionData, variables: Variables): Question {
  const { required } = data
  if (data.answer === 'text') {
    const placeholder = renderText(data.placeholder, variables)
    return {
      request: { input: 'text', long: true, maxLength: caps.satisfaction, placeholder, required, survey: true },
      valueOf: (reply) => {
        const text = reply.type === 'text' ? reply.text.trim() : ''
        return text === '' || text.length > caps.satisfaction ? null : text
      },
    }
  }
  if (data.answer === 'rating') {
    const steps = ratingSteps(data, variables)
    const options = steps.map(({ id, label }) => ({ id, label }))
    const request = { input: 'rating' as const, required, scale: data.scale, options }
    return {
      request,
      valueOf: (reply) => {
        const given = ratingIn(request, reply)
        return given ? (steps[given.index]?.value ?? null) : null
      },
    }
  }
  const multiple = data.answer === 'multiple'
  const options = data.options.map(({ id, label }) => ({ id, label: renderText(label, variables) }))
  return {
    request: { input: 'choice', multiple, typing: false, placeholder: '', options, skippable: !required, survey: true },
    valueOf: (reply) => {
      const labels = chosenIn(options, reply, multiple).map(({ label }) => label)
      return multiple && labels.length > 0 ? labels : (labels[0] ?? null)
    },
  }
}

interface RatingStep {
  id: string
  label: string
  value: number
}

function ratingSteps(data: SatisfactionData, variables: Variables): RatingStep[] {
  if (isNamed(data.scale))
    return data.levels.map(({ id, label }, index) => ({ id, label: renderText(label, variables), value: index + 1 }))
  const [first, last] = range(data)
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const value = first + index
    return { id: `${value}`, label: `${value}`, value }
  })
}
