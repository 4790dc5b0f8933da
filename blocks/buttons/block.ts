import { defineBlock, type Port } from '../../engine/flow/defineBlock'
import type { InputRequest } from '../../engine/flow/effects'
import { listening, listenPorts, timeoutOf } from '../../engine/flow/inputFields'
import { ask, note, now, random, read, say, setVariable } from '../../engine/flow/steps'
import { optionsPart, textPart } from '../../engine/flow/visitorParts'
import { counts } from '../../engine/values/caps'
import { comparisonProblems, conditionNeeds, conditionReads } from '../../engine/values/comparison'
import { dynamicValueToString, dynamicValueVariables } from '../../engine/values/dynamicValue'
import { renderText } from '../../engine/values/render'
import { richTextVariables } from '../../engine/values/richText'
import { buttonsFromFlowise } from './fromFlowise'
import { buttonsFromTypebot } from './import'
import { chosenOffers, hasPort, isBlankText, offersOf } from './offers'
import { addListAndListening, type ButtonOption, type ButtonsData, buttonsDefaults, buttonsSchema } from './schema'

/**
 * Offers options. Its ports:
 * - one choice: each option that answers has its own port; `default` takes the rest: typed texts that are no label,
 *   options without a connected port, and those from a list;
 * - several choices: only `default`, since no single option is the answer;
 * - an option with a URL opens it and has no port. If all have one and typing is off, any reply goes on by `default`;
 *   so does an option whose rendered URL is invalid. Options whose condition does not hold are hidden. A typed text
 *   that equals a label (ignoring case) chooses it. After an invalid reply it asks again, `attempts` times in all.
 */
export const buttons = defineBlock({
  kind: 'buttons',
  category: 'input',
  title: 'Buttons',
  help: 'Lets the visitor choose an option.',
  schema: buttonsSchema,
  defaults: buttonsDefaults,
  richTexts: ['prompt'],
  visitorTexts: ['prompt', 'options.*.label', 'placeholder'],
  visitorParts: ({ prompt, options, multiple }) => [
    textPart('prompt', prompt),
    // several are chosen by their numbers
    ...(multiple ? [] : [optionsPart('options', options)]),
  ],
  migrations: [addListAndListening],
  ports,
  reads: (data) => [
    ...richTextVariables(data.prompt),
    ...dynamicValueVariables(data.placeholder),
    ...(data.list.variableId ? [data.list.variableId] : []),
    ...data.options.flatMap(optionReads),
  ],
  writes: (data) => (data.saveTo ? [data.saveTo] : []),
  needs: (data) => [
    ...richTextVariables(data.prompt),
    ...dynamicValueVariables(data.placeholder),
    ...(data.list.variableId ? [data.list.variableId] : []),
    ...data.options.flatMap((option) => optionReads({ ...option, condition: null })),
  ],
  // `default` is also taken if there is nothing to choose
  assures: (data, portId) => {
    const asks = data.typing || data.options.some((option) => hasPort(option) && !option.condition)
    return data.saveTo && portId !== 'no-reply' && (portId !== 'default' || asks) ? [data.saveTo] : []
  },
  problems: (data) => [
    ...(data.options.length === 0 && data.list.variableId === null && !data.typing
      ? [{ path: 'options', message: 'Add an option' }]
      : []),
    ...data.options.flatMap(({ label, condition }, at) => [
      ...(isBlankText(label) ? [{ path: `options.${at}.label`, message: 'Enter a label' }] : []),
      ...(condition ? comparisonProblems(condition, `options.${at}.condition`) : []),
    ]),
  ],
  importers: [buttonsFromTypebot, buttonsFromFlowise],
  *run(data) {
    yield* say(data.prompt)
    const variables = yield* read()
    const needs = data.options.flatMap(({ condition }) => (condition ? conditionNeeds(condition) : []))
    const problems: string[] = []
    const offers = offersOf(data, variables, {
      ...(needs.some((need) => need.now) && { now: yield* now() }),
      ...(needs.some((need) => need.chance) && { chance: yield* random() }),
      note: (problem) => problems.push(problem),
    })
    for (const problem of problems) yield* note(problem)
    if (offers.length === 0 && !data.typing) return 'default'
    const request: InputRequest = {
      input: 'choice',
      ...timeoutOf(data),
      multiple: data.multiple,
      typing: data.typing,
      placeholder: renderText(data.placeholder, variables),
      options: offers.map(({ id, label, url }) => ({ id, label, ...(url !== undefined && { url }) })),
    }
    for (let attempt = 1; attempt <= counts.attempts; attempt++) {
      const reply = yield* ask(request, listening(data))
      if (reply.type === 'timeout') return 'no-reply'
      const chosen = chosenOffers(offers, reply, data.multiple)
      if (chosen.length > 0) {
        const values = chosen.map(({ value }) => value)
        if (data.saveTo) yield* setVariable(data.saveTo, data.multiple ? values : (values[0] ?? ''))
        return data.multiple ? 'default' : (chosen[0]?.port ?? 'default')
      }
      if (data.typing && reply.type === 'text' && reply.text.trim() !== '') {
        if (data.saveTo) yield* setVariable(data.saveTo, data.multiple ? [reply.text.trim()] : reply.text.trim())
        return 'default'
      }
      if (!data.typing && offers.every(({ url }) => url !== undefined)) return 'default'
    }
    return 'default'
  },
})

function ports(data: ButtonsData): Port<string>[] {
  const noReply = listenPorts(data, 'default')
  if (data.multiple) return [{ id: 'default' }, ...noReply]
  const options = data.options.filter(hasPort).map((option, index) => ({
    id: option.id,
    label: isBlankText(option.label) ? `Option ${index + 1}` : dynamicValueToString(option.label, () => '…'),
    row: option.id,
    fallback: 'default',
  }))
  const spare = !data.typing && data.list.variableId === null && options.length > 0
  const label = 'Otherwise'
  return [...options, { id: 'default', label, ...(spare && { spare }) }, ...noReply]
}

const optionReads = ({ label, value, url, condition }: ButtonOption): string[] => [
  ...[label, value, url].flatMap((text) => (text ? dynamicValueVariables(text) : [])),
  ...(condition ? conditionReads(condition) : []),
]
