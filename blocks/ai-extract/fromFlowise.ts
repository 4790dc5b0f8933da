import { clip, fieldsOf, listOf, textOf } from '../../engine/interop/fields'
import type { NodeImporter } from '../../engine/interop/importer'
import { caps, counts } from '../../engine/values/caps'
import { isBlankValue } from '../../engine/values/dynamicValue'
import { type AiExtractData, aiExtractDefaults, type ExtractedField, extractCaps } from './schema'

/** A model that chooses one of several scenarios. */
export const aiExtractFromFlowise: NodeImporter = {
  product: 'flowise',
  types: ['conditionAgentAgentflow'],
  map(block, context) {
    if (textOf(block.model))
      context.note(
        `The model '${clip(textOf(block.model), 60)}' is not carried over: the model of the AI settings is used.`,
      )
    const scenarios = listOf(block.scenarios).map((each) => textOf(fieldsOf(each).scenario))
    if (scenarios.length > counts.formChoices)
      context.note(`Only the first ${counts.formChoices} of ${scenarios.length} scenarios are kept.`)
    if (scenarios.some((each) => each.length > caps.formChoice))
      context.note(`Scenarios were cut to ${caps.formChoice} characters.`)
    const instructions = context.text(block.instructions, 100_000)
    const plain = instructions.type === 'static' ? instructions.value : ''
    if (instructions.type === 'dynamic')
      context.note('Its instructions hold variables and are left out: say in the description what to look for.')
    if (plain.length > extractCaps.description)
      context.note(`Its instructions were cut to ${extractCaps.description} characters.`)
    const text = context.text(block.input, caps.userMessage)
    const field: ExtractedField = {
      id: context.id(),
      name: 'Scenario',
      type: 'choice',
      description: clip(plain, extractCaps.description),
      choices: scenarios
        .slice(0, counts.formChoices)
        .map((label) => ({ id: context.id(), label: clip(label, caps.formChoice) })),
      saveTo: context.output('scenario'),
    }
    const data: AiExtractData = {
      ...aiExtractDefaults(context.id),
      from: isBlankValue(text) ? 'conversation' : 'text',
      messages: 1,
      text,
      fields: [field],
    }
    return { data, ports: { default: 'next' } }
  },
}
