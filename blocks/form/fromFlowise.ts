import { clip, type Fields, fieldsOf, listOf, textOf } from '../../engine/interop/fields'
import type { NodeContext, NodeImporter } from '../../engine/interop/importer'
import { caps, counts } from '../../engine/values/caps'
import { staticValue } from '../../engine/values/dynamicValue'
import { type FormData, type FormField, formDefaults, newFormField } from './schema'

/** The form at the start of a run. All fields are optional, as in Flowise. */
export const formFromFlowise: NodeImporter = {
  product: 'flowise',
  types: ['start form'],
  map(block, context) {
    const rows = listOf(block.formInputTypes).map(fieldsOf)
    if (rows.length > counts.formFields)
      context.note(`Only the first ${counts.formFields} of ${rows.length} fields are kept.`)
    const prompt = [block.formTitle, block.formDescription].map(textOf).filter(Boolean).join('\n\n')
    const data: FormData = {
      ...formDefaults(context.id),
      prompt: context.richText(prompt),
      fields: rows.slice(0, counts.formFields).map((row) => fieldOf(row, context)),
    }
    return { data, ports: { default: 'next' } }
  },
}

const TYPES = new Map<string, FormField['type']>([
  ['string', 'text'],
  ['number', 'number'],
  ['boolean', 'select'],
  ['options', 'select'],
])

function fieldOf(row: Fields, context: NodeContext): FormField {
  const kind = textOf(row.type)
  const options = listOf(row.addOptions).map((option) => textOf(fieldsOf(option).option))
  const choices = kind === 'boolean' ? ['true', 'false'] : options
  if (choices.length > counts.formChoices)
    context.note(`Only the first ${counts.formChoices} of ${choices.length} choices are kept.`)
  return {
    ...newFormField(context.id),
    label: staticValue(clip(textOf(row.label) || textOf(row.name), caps.formLabel)),
    type: TYPES.get(kind) ?? 'text',
    required: false,
    choices: choices
      .slice(0, counts.formChoices)
      .map((label) => ({ id: context.id(), label: staticValue(clip(label, caps.formChoice)) })),
    saveTo: context.output(textOf(row.name)),
  }
}
