import { defineBlock, type Port } from '../../engine/flow/defineBlock'
import type { InputRequest, Reply } from '../../engine/flow/effects'
import { ask, read, render, say, setVariable } from '../../engine/flow/steps'
import { counts } from '../../engine/values/caps'
import {
  type DynamicValue,
  dynamicValueLength,
  dynamicValueToString,
  dynamicValueVariables,
} from '../../engine/values/dynamicValue'
import { isUnset, renderText, type Variables } from '../../engine/values/render'
import { richTextVariables } from '../../engine/values/richText'
import { isExternalUrl } from '../../engine/values/url'
import { buttonsFromTypebot } from './import'
import { type ButtonOption, type ButtonsData, buttonsDefaults, buttonsSchema } from './schema'

/**
 * Offers options. The rule of its ports:
 * - one choice: each option that answers has a port of its own; `default` takes what is left: a typed text that is no label,
 *   and options whose own port is not connected;
 * - several choices: `default` alone, since no single option stands for the answer;
 * - an option with a URL opens it and leaves by no port. When all have one and typing is off, any reply goes on by `default`;
 *   so does one whose URL is made of variables that give none.
 * A typed text that equals a label (case aside) is that option. A reply that fits nothing is asked for again, `attempts` times.
 */
export const buttons = defineBlock({
  kind: 'buttons',
  category: 'input',
  title: 'Buttons',
  help: 'Lets the visitor choose among options.',
  schema: buttonsSchema,
  defaults: buttonsDefaults,
  richTexts: ['prompt'],
  ports,
  reads: (data) => [
    ...richTextVariables(data.prompt),
    ...[data.placeholder, ...data.options.flatMap(({ label, value, url }) => [label, value, url])].flatMap((value) =>
      value ? dynamicValueVariables(value) : [],
    ),
  ],
  writes: (data) => (data.saveTo ? [data.saveTo] : []),
  importers: [buttonsFromTypebot],
  *run(data) {
    yield* say(data.prompt)
    if (data.options.length === 0 && !data.typing) return 'default'
    const variables = yield* read()
    const placeholder = yield* render(data.placeholder)
    const request: InputRequest = {
      input: 'choice',
      multiple: data.multiple,
      typing: data.typing,
      placeholder,
      options: data.options.map((option) => presentOption(option, variables)),
    }
    for (let attempt = 1; attempt <= counts.attempts; attempt++) {
      const reply = yield* ask(request)
      const chosen = chosenOptions(data, reply, variables)
      if (chosen.length > 0) {
        const values = chosen.map((option) => savedValue(option, variables))
        if (data.saveTo) yield* setVariable(data.saveTo, data.multiple ? values : (values[0] ?? ''))
        return !data.multiple && chosen[0] && answers(chosen[0]) ? chosen[0].id : 'default'
      }
      if (data.typing && reply.type === 'text' && reply.text.trim() !== '') {
        if (data.saveTo) yield* setVariable(data.saveTo, data.multiple ? [reply.text.trim()] : reply.text.trim())
        return 'default'
      }
      if (!data.typing && !data.options.some(answers)) return 'default'
    }
    return 'default'
  },
})

function ports(data: ButtonsData): Port<string>[] {
  if (data.multiple) return [{ id: 'default' }]
  const options = data.options.filter(answers).map((option, index) => ({
    id: option.id,
    label: isBlankLabel(option.label) ? `Option ${index + 1}` : dynamicValueToString(option.label, () => '…'),
    row: option.id,
    fallback: 'default',
  }))
  return [...options, { id: 'default', label: data.typing ? 'Any other answer' : 'Any other option' }]
}

const isBlankLabel = (label: DynamicValue): boolean =>
  dynamicValueLength(label) === 0 && dynamicValueVariables(label).length === 0

/** An option with an address opens it; every other one answers. */
const answers = (option: ButtonOption): boolean => !option.url || isBlankLabel(option.url)

function presentOption(option: ButtonOption, variables: Variables): { id: string; label: string; url?: string } {
  const url = option.url ? renderText(option.url, variables).trim() : ''
  return { id: option.id, label: renderText(option.label, variables), ...(isExternalUrl(url) && { url }) }
}

const opensAddress = (option: ButtonOption, variables: Variables): boolean =>
  presentOption(option, variables).url !== undefined

function chosenOptions(data: ButtonsData, reply: Reply, variables: Variables): ButtonOption[] {
  const open = data.options.filter((option) => !opensAddress(option, variables))
  if (reply.type === 'choice') {
    const chosen = open.filter((option) => reply.optionIds.includes(option.id))
    return data.multiple || chosen.length <= 1 ? chosen : []
  }
  if (reply.type === 'skip') return []
  const typed = reply.text.trim().toLowerCase()
  return open
    .filter((option) => typed !== '' && renderText(option.label, variables).trim().toLowerCase() === typed)
    .slice(0, 1)
}

function savedValue(option: ButtonOption, variables: Variables): string {
  const value = option.value ? renderText(option.value, variables) : ''
  return isUnset(value) ? renderText(option.label, variables) : value
}
