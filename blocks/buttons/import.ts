import { clip, type Fields, fieldsOf, listOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter, ForeignBlock, ImportContext, MappedBlock } from '../../engine/interop/importer'
import { answerVariable, isEmptyValue, noteButton, noteOthers } from '../../engine/interop/settings'
import { mapCondition } from '../../engine/interop/typebot/comparisons'
import { caps, counts } from '../../engine/values/caps'
import { type ButtonOption, type ButtonsData, buttonsDefaults } from './schema'

/** Buttons, and picture choices that a carousel can't show: those become buttons with their titles. */
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
  if (multiple && options.variableId)
    context.remark(
      'Several choices were one text there (“A, B”): here they are a list, which prints like that, contains whole options, and is compared by how many there are.',
    )
  // pictures may also come from variables: one for titles, others besides
  const pictures = fieldsOf(options.dynamicItems)
  const listId = pictures.isEnabled === true ? pictures.titlesVariableId : options.dynamicVariableId
  const dynamic = Boolean(listId)
  // ignored by the product beside a variable's
  const own = listOf(block.items)
  const items = dynamic ? [] : own.map(fieldsOf)
  if (items.length > counts.options)
    context.note(`Only the first ${counts.options} of ${items.length} options are kept.`)
  const kept = items.slice(0, counts.options)
  if (kept.some(({ pictureSrc }) => pictureSrc))
    context.note(
      'The pictures of its options are not shown: put images before it, or make it a carousel of single choices.',
    )
  if (kept.some(({ description }) => description))
    context.note('The descriptions of its options are not shown: put a text before it.')
  const pairs = kept.map((item, index) => ({ item, option: mapItem(item, index, context) }))
  const defaults = buttonsDefaults(context.id)
  const data: ButtonsData = {
    ...defaults,
    options: pairs.map(({ option }) => option),
    list: { ...defaults.list, variableId: dynamic ? context.variable(listId) : null },
    multiple,
    saveTo: answerVariable(options.variableId, context),
  }
  // with several choices the product only uses the block's own edge, as this kind does
  const ports = multiple ? [] : pairs.map(({ item, option }) => [textOf(item.id), option.id])
  return { data, ports: { ...Object.fromEntries(ports), default: 'default' } }
}

function mapItem(item: Fields, index: number, context: ImportContext): ButtonOption {
  const whole = context.text(item.content ?? item.title, caps.optionValue)
  const label = context.text(item.content ?? item.title, caps.label)
  const name = clip(textOf(item.content ?? item.title), 40) || `Option ${index + 1}`
  const { isEnabled, condition } = fieldsOf(item.displayCondition)
  noteOthers(item, ITEM_FIELDS, context)
  // answers are compared with the whole text later: a cut label still saves that
  const value = item.value ? context.text(item.value, caps.optionValue) : whole
  return {
    id: context.id(),
    label: isEmptyValue(label) ? { type: 'static', value: name } : label,
    ...(JSON.stringify(value) === JSON.stringify(label) || isEmptyValue(value) ? {} : { value }),
    ...(isEnabled === true && { condition: mapCondition(condition, context) }),
  }
}
