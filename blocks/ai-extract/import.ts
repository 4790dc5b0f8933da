import { clip, type Fields, fieldsOf, listOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import { caps, counts } from '../../engine/values/caps'
import { type AiExtractData, aiExtractDefaults, type ExtractedField, extractCaps } from './schema'

/** An action of several providers' blocks that fills variables from a prompt. */
export const aiExtractFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['openai', 'anthropic', 'mistral', 'groq', 'together-ai', 'open-router', 'deepseek', 'perplexity'],
  map(block, context) {
    const options = fieldsOf(block.options)
    const action = textOf(options.action)
    if (action.toLowerCase() !== 'generate variables')
      return { notMapped: `Nothing is found by '${clip(action, 60)}'.` }
    noteOthers(
      options,
      ['action', 'model', 'prompt', 'variablesToExtract', 'credentialsId', 'baseUrl', 'apiVersion'],
      context,
    )
    if (textOf(options.model)) {
      context.note(
        `The model '${clip(textOf(options.model), 60)}' is not carried over: the model of the AI settings is used.`,
      )
    }
    const rows = listOf(options.variablesToExtract).map(fieldsOf)
    if (rows.length > extractCaps.fields) context.note(`Only the first ${extractCaps.fields} variables are filled.`)
    const fields = rows.slice(0, extractCaps.fields).map((row, index): ExtractedField => {
      const description = textOf(row.description)
      if (description.length > extractCaps.description) context.note('A description was cut.')
      return {
        id: context.id(),
        name: clip(description, extractCaps.name) || `Value ${index + 1}`,
        type: types.get(textOf(row.type)) ?? 'text',
        description: clip(description, extractCaps.description),
        choices: choicesOf(row, context.id),
        saveTo: context.variable(row.variableId),
      }
    })
    const data: AiExtractData = {
      ...aiExtractDefaults(context.id),
      from: textOf(options.prompt) === '' ? 'conversation' : 'text',
      text: context.text(options.prompt, caps.userMessage),
      fields,
    }
    return { data, ports: { default: 'next' } }
  },
}

const types = new Map<string, ExtractedField['type']>([
  ['string', 'text'],
  ['number', 'number'],
  ['boolean', 'yes-no'],
  ['enum', 'choice'],
])

const choicesOf = ({ type, values }: Fields, id: () => string): ExtractedField['choices'] =>
  type === 'enum'
    ? listOf(values)
        .map(textOf)
        .filter((label) => label !== '')
        .slice(0, counts.formChoices)
        .map((label) => ({ id: id(), label: clip(label, caps.formChoice) }))
    : []
