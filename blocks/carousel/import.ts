import { clip, type Fields, fieldsOf, listOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter, ForeignBlock, ImportContext, MappedBlock } from '../../engine/interop/importer'
import { answerVariable, noteButton } from '../../engine/interop/settings'
import { caps } from '../../engine/values/caps'
import { type DynamicValue, staticValue } from '../../engine/values/dynamicValue'
import { isExternalUrl } from '../../engine/values/url'
import { type Card, type CardButton, type CarouselData, carouselDefaults, isEmptyValue, most, newCard } from './schema'

/**
 * Cards; and picture choices, whose titles become buttons. What a carousel can't do (several choices, pictures from
 * variables or with conditions, many pictures, long titles) becomes buttons without pictures.
 */
export const carouselFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['picture choice input', 'cards', 'cards input'],
  map: (block, context) => {
    if (block.type !== 'picture choice input') return mapCards(block, context)
    return isShowable(block) ? mapPictures(block, context) : { notMapped: 'No carousel can show these pictures.' }
  },
}

const itemsOf = (block: ForeignBlock): Fields[] => listOf(block.items).map(fieldsOf)
const isOn = (value: unknown): boolean => fieldsOf(value).isEnabled === true
const isPicture = (text: string): boolean => isExternalUrl(text) || text.startsWith('{{')

function isShowable(block: ForeignBlock): boolean {
  const options = fieldsOf(block.options)
  const items = itemsOf(block)
  if (options.isMultipleChoice === true || isOn(options.dynamicItems) || items.length > most.cards) return false
  const fits = (item: Fields) => textOf(item.title).length <= caps.label && !isOn(item.displayCondition)
  return items.some((item) => isPicture(textOf(item.pictureSrc))) && items.every(fits)
}

function mapPictures(block: ForeignBlock, context: ImportContext): MappedBlock {
  const options = fieldsOf(block.options)
  noteButton(options.buttonLabel, context)
  const pairs = itemsOf(block).map((item, index) => {
    const button = buttonOf(item.title, index, context)
    const card = cardOf(item.pictureSrc, item.description, context)
    return { exit: textOf(item.id), button, card: { ...card, buttons: [button] } }
  })
  return mapped(
    pairs.map(({ card }) => card),
    { saveTo: answerVariable(options.variableId, context) },
    pairs,
  )
}

function mapCards(block: ForeignBlock, context: ImportContext): MappedBlock {
  const items = itemsOf(block)
  if (items.length > most.cards)
    context.note(`Only the first ${most.cards} of ${items.length} cards are kept: show the others in another carousel.`)
  const exits: { exit: string; button: CardButton }[] = []
  const cards = items.slice(0, most.cards).map((item): Card => {
    const name = clip(textOf(item.title), 40)
    const { displayCondition, internalValue } = fieldsOf(item.options)
    if (isOn(displayCondition))
      context.note(`The card '${name}' was shown on a condition: put a condition before the carousel.`)
    if (internalValue) context.note(`What the card '${name}' meant inside is left out: set a variable after it.`)
    const paths = listOf(item.paths).map(fieldsOf)
    if (paths.length > most.buttons)
      context.note(`Only the first ${most.buttons} of ${paths.length} buttons of the card '${name}' are kept.`)
    const buttons = paths.slice(0, most.buttons).map((path, index) => {
      const button = buttonOf(path.text, index, context)
      exits.push({ exit: textOf(path.id), button })
      return button
    })
    const title = context.text(item.title, caps.cardTitle)
    return { ...cardOf(item.imageUrl, item.description, context), title, buttons }
  })
  // a single card whose fields are variables represents all items of their lists
  const [only, ...others] = items
  const repeat = others.length === 0 && [only?.title, only?.description, only?.imageUrl].some(isVariable)
  return mapped(cards, { ...savedOf(fieldsOf(block.options), context), repeat }, exits)
}

/** Of the values that a choice can save, only a button's label and a card's title are supported. */
function savedOf(options: Fields, context: ImportContext): Partial<CarouselData> {
  const saved: Partial<CarouselData> = {}
  for (const { field, variableId } of listOf(options.saveResponseMapping).map(fieldsOf)) {
    const name = textOf(field)
    if (name === 'Title') saved.saveCardTo = context.variable(variableId)
    else if (name.startsWith('Button')) saved.saveTo = context.variable(variableId)
    else context.note(`'${clip(name, 40)}' of the chosen card is not saved here: set a variable after each button.`)
  }
  return saved
}

function buttonOf(label: unknown, index: number, context: ImportContext): CardButton {
  const text = context.text(label, caps.label)
  return { id: context.id(), label: isEmptyValue(text) ? staticValue(`Option ${index + 1}`) : text }
}

function cardOf(image: unknown, description: unknown, context: ImportContext): Card {
  const address = textOf(image).trim()
  if (address && !isPicture(address))
    context.note('A picture has no address that starts with https:// or http://: upload it here.')
  return {
    ...newCard(context.id),
    image: isPicture(address) ? context.text(address, caps.url) : noText,
    description: context.text(description, caps.cardDescription),
  }
}

const isVariable = (field: unknown): boolean => /^\s*\{\{[^{}]+\}\}\s*$/.test(textOf(field))

const noText: DynamicValue = staticValue('')

function mapped(
  items: Card[],
  saved: Partial<CarouselData>,
  exits: { exit: string; button: CardButton }[],
): MappedBlock {
  const ports = exits.map(({ exit, button }) => [exit, button.id])
  return {
    data: { ...carouselDefaults(() => ''), items, ...saved },
    ports: { ...Object.fromEntries(ports), default: 'next' },
  }
}
