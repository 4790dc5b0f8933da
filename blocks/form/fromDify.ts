import { clip, type Fields, fieldsOf, listOf, textOf } from '../../engine/interop/fields'
import type { NodeContext, NodeImporter } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import { caps, counts } from '../../engine/values/caps'
import { staticValue } from '../../engine/values/dynamicValue'
import { type FormData, type FormField, formDefaults, newFormField } from './schema'

/** The start node's inputs before the first message. */
export const formFromDify: NodeImporter = {
  product: 'dify',
  types: ['start form'],
  map(block, context) {
    const variables = listOf(block.variables).map(fieldsOf)
    const kept = variables.filter(({ type, variable, ...rest }) => rest && variable && !/^file/.test(textOf(type)))
    if (kept.length < variables.length) context.note('Files that it asked for are left out: add a file upload.')
    if (kept.length === 0) return { notMapped: 'It asks for files alone: use a file upload.' }
    if (kept.length > counts.formFields)
      context.note(`Only the first ${counts.formFields} of ${kept.length} fields are kept.`)
    const data: FormData = {
      ...formDefaults(context.id),
      fields: kept.slice(0, counts.formFields).map((variable) => fieldOf(variable, context)),
    }
    return { data, ports: { default: 'next' } }
  },
}

const TYPES = new Map<string, FormField['type']>([
  ['text-input', 'text'],
  ['paragraph', 'long-text'],
  ['number', 'number'],
  ['select', 'select'],
  ['checkbox', 'select'],
])

function fieldOf(variable: Fields, context: NodeContext): FormField {
  const kind = textOf(variable.type)
  const type = TYPES.get(kind)
  const name = textOf(variable.variable)
  if (!type) context.note(`The field '${clip(name, 40)}' of the type '${clip(kind, 40)}' became a text.`)
  noteOthers(
    variable,
    [
      'label',
      'max_length',
      'options',
      'required',
      'type',
      'variable',
      'hide',
      'allowed_file_types',
      'allowed_file_extensions',
      'allowed_file_upload_methods',
    ],
    context,
  )
  const options = kind === 'checkbox' ? ['true', 'false'] : listOf(variable.options).map(textOf)
  if (options.length > counts.formChoices)
    context.note(`Only the first ${counts.formChoices} of ${options.length} choices are kept.`)
  return {
    ...newFormField(context.id),
    label: staticValue(clip(textOf(variable.label) || name, caps.formLabel)),
    type: type ?? 'text',
    required: variable.required === true,
    choices:
      type === 'select'
        ? options
            .slice(0, counts.formChoices)
            .map((label) => ({ id: context.id(), label: staticValue(clip(label, caps.formChoice)) }))
        : [],
    saveTo: context.output(name),
  }
}
