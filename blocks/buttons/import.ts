import type { BlockImporter, ForeignBlock, ImportContext, MappedBlock } from '../../engine/interop/importer'
import { clip, type Fields, fieldsOf, listOf, textOf } from '../../engine/interop/typebot/fields'
import { isEmptyValue, noteButton, noteOthers } from '../../engine/interop/typebot/settings'
import { caps, counts } from '../../engine/values/caps'
import { type ButtonOption, type ButtonsData, buttonsDefaults } from './schema'

/** Buttons, and pictures to choose from: those keep their titles as buttons. */
export const buttonsFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['choice input', 'picture choice input'],
  map: mapChoice,
}

const SETTINGS = ['variableId', 'isMultipleChoice', 'buttonLabel', 'dynamicVariableId', 'dynamicItems']
const ITEM_FIELDS = [
  'id',
  'type',
  'blockId',
  'stepId',
  'outgoingEdgeId',
  'content',
  'title',
  'value',
  'pictureSrc',
  'description',
  'displayCondition',
]

function mapChoice(block: ForeignBlock, context: ImportContext): MappedBlock {
  const options = fieldsOf(block.options)
  noteButton(options.buttonLabel, context)
  noteOthers(options, SETTINGS, context)
  const multiple = options.isMultipleChoice === true
  // an option list that comes from a variable has no counterpart: the visitor types, the answer is kept all the same
  const dynamic = Boolean(options.dynamicVariableId) || fieldsOf(options.dynamicItems).isEnabled === true
  if (dynamic) context.note('Its options come from a variable: the visitor types the answer instead.')
  const items = dynamic ? [] : listOf(block.items).map(fieldsOf)
  if (items.length > counts.options)
    context.note(`Only the first ${counts.options} of ${items.length} options are kept.`)
  const pairs = items.slice(0, counts.options).map((item, index) => ({ item, option: mapItem(item, index, context) }))
  const data: ButtonsData = {
    ...buttonsDefaults(context.id),
    options: pairs.map(({ option }) => option),
    multiple,
    typing: dynamic,
    saveTo: context.variable(options.variableId),
  }
  // of several choices none stands for the answer: the product then looks at the block's own edge alone, as the kind does
  const ports = multiple ? [] : pairs.map(({ item, option }) => [textOf(item.id), option.id])
  return { data, ports: { ...Object.fromEntries(ports), default: 'default' } }
}

function mapItem(item: Fields, index: number, context: ImportContext): ButtonOption {
  const whole = context.text(item.content ?? item.title, caps.optionValue)
  const label = context.text(item.content ?? item.title, caps.label)
  const name = clip(textOf(item.content ?? item.title), 40) || `Option ${index + 1}`
  if (item.pictureSrc) context.note(`The picture of '${name}' is not shown.`)
  if (item.description) context.note(`The description of '${name}' is not shown.`)
  if (fieldsOf(item.displayCondition).isEnabled === true) context.note(`'${name}' is always shown: it had a condition.`)
  noteOthers(item, ITEM_FIELDS, context)
  // an answer is compared with the whole text later on: a cut label still saves that
  const value = item.value ? context.text(item.value, caps.optionValue) : whole
  return {
    id: context.id(),
    label: isEmptyValue(label) ? { type: 'static', value: name } : label,
    ...(JSON.stringify(value) === JSON.stringify(label) || isEmptyValue(value) ? {} : { value }),
  }
}
