import { clip, type Fields, fieldsOf, listOf, textOf } from '../../engine/interop/fields'
import type { ForeignBlock, MappedBlock, NodeContext, NodeImporter } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import { caps, counts } from '../../engine/values/caps'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { staticValue } from '../../engine/values/dynamicValue'
import { type AiExtractData, aiExtractDefaults, type ExtractedField, extractCaps } from './schema'

/** Nodes in which a model extracts from a text: parameters, or the class it belongs to. */
export const aiExtractFromDify: NodeImporter = {
  product: 'dify',
  types: ['parameter-extractor', 'question-classifier'],
  map: (block, context) =>
    block.type === 'question-classifier' ? mapClassifier(block, context) : mapExtractor(block, context),
}

function mapExtractor(block: ForeignBlock, context: NodeContext): MappedBlock {
  noteOthers(block, ['id', 'type', 'model', 'query', 'parameters', 'instruction', 'reasoning_mode', 'memory'], context)
  noteModel(block, context)
  noteInstruction(block.instruction, context)
  for (const name of ['__is_success', '__reason', '__usage'])
    if (context.readOutputs.includes(name))
      context.note(`Its output '${name}' has no counterpart here and stays empty.`)
  const rows = listOf(block.parameters).map(fieldsOf)
  if (rows.length > extractCaps.fields)
    context.note(`Only the first ${extractCaps.fields} of ${rows.length} values are found.`)
  return mapped(
    block.query,
    rows.slice(0, extractCaps.fields).map((row) => fieldOf(row, context)),
    context,
  )
}

const TYPES = new Map<string, ExtractedField['type']>([
  ['string', 'text'],
  ['number', 'number'],
  ['bool', 'yes-no'],
  ['boolean', 'yes-no'],
  ['select', 'choice'],
])

function fieldOf(row: Fields, context: NodeContext): ExtractedField {
  const name = textOf(row.name)
  const { type: kind, required: _required } = row
  const type = TYPES.get(textOf(kind))
  if (!type) context.note(`'${clip(name, 40)}' was a list (${clip(textOf(row.type), 40)}): here it is one text.`)
  if (textOf(row.description).length > extractCaps.description)
    context.note(`The description of '${clip(name, 40)}' was cut.`)
  return {
    id: context.id(),
    name: clip(name, extractCaps.name) || 'Value',
    type: type ?? 'text',
    description: clip(textOf(row.description), extractCaps.description),
    choices: type === 'choice' ? choicesOf(listOf(row.options).map(textOf), context) : [],
    saveTo: context.output(name),
  }
}

function mapClassifier(block: ForeignBlock, context: NodeContext): MappedBlock {
  const known = [
    'id',
    'type',
    'model',
    'query_variable_selector',
    'classes',
    'instruction',
    'instructions',
    'topics',
    'memory',
  ]
  noteOthers(block, known, context)
  noteModel(block, context)
  const names = listOf(block.classes).map((each) => textOf(fieldsOf(each).name))
  const instruction = textOf(block.instruction).trim()
  if (instruction.length > extractCaps.description) context.note('Its instruction was cut.')
  const field: ExtractedField = {
    id: context.id(),
    name: 'Class',
    type: 'choice',
    description: clip(instruction, extractCaps.description),
    choices: choicesOf(names, context),
    saveTo: context.output('class_name'),
  }
  return mapped(block.query_variable_selector, [field], context)
}

function choicesOf(labels: readonly string[], context: NodeContext): ExtractedField['choices'] {
  const written = labels.filter((label) => label.trim() !== '')
  if (written.length > counts.formChoices)
    context.note(`Only the first ${counts.formChoices} of ${written.length} choices are kept.`)
  if (written.some((label) => label.length > caps.formChoice))
    context.note(`Choices were cut to ${caps.formChoice} characters.`)
  return written
    .slice(0, counts.formChoices)
    .map((label) => ({ id: context.id(), label: clip(label, caps.formChoice) }))
}

function mapped(selector: unknown, fields: ExtractedField[], context: NodeContext): MappedBlock {
  const from = context.value(selector)
  const text: DynamicValue = from
    ? {
        type: 'dynamic',
        parts: [
          { type: 'variable', variable_id: from.variableId, ...(from.path !== undefined && { path: from.path }) },
        ],
      }
    : staticValue('')
  if (!from) context.note('It names no text to look into: it looks into what the visitor wrote.')
  const data: AiExtractData = {
    ...aiExtractDefaults(context.id),
    from: from ? 'text' : 'conversation',
    messages: 1,
    text,
    fields,
  }
  // if nothing is found it goes on, as in Dify
  return { data, ports: { default: 'next' } }
}

function noteModel({ model, memory }: Fields, context: NodeContext): void {
  const { name, completion_params: _params } = fieldsOf(model)
  if (textOf(name))
    context.note(`The model '${clip(textOf(name), 60)}' is not carried over: the model of the AI settings is used.`)
  if (memory !== undefined && memory !== null)
    context.note('It knew the messages before: here it looks into that one text.')
}

function noteInstruction(value: unknown, context: NodeContext): void {
  const text = textOf(value).trim()
  if (text)
    context.note(`Its instruction is left out, say it in the descriptions of what to find: “${clip(text, 200)}”`)
}
