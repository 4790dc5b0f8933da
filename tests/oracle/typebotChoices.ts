import { holds } from './typebotComparisons'
import { type Fields, fields, list, text } from './typebotFile'
import type { TypebotVariables } from './typebotVariables'

/** Something to choose: what is read, what is kept, where it leads. */
export interface Choice {
  label: string
  value: string
  edge: string
  title: string
  image: string
  description: string
}

/** What a block of choices offers now. */
export function offer(variables: TypebotVariables, type: string, own: Fields): Choice[] {
  const options = fields(own.options)
  const plain = { edge: '', title: '', image: '', description: '' }
  const dynamic =
    fields(options.dynamicItems).isEnabled === true
      ? fields(options.dynamicItems).titlesVariableId
      : options.dynamicVariableId
  const variable = variables.of(dynamic)
  if (variable && variable.value !== null) {
    return [variable.value].flat().flatMap((label) => (label === null ? [] : [{ ...plain, label, value: label }]))
  }
  const items = list(own.items).filter(({ displayCondition, options: itemOptions }) => {
    const shown = fields(displayCondition ?? fields(itemOptions).displayCondition)
    return shown.isEnabled !== true || holds(variables, fields(shown.condition))
  })
  if (type.startsWith('cards')) return items.flatMap((item) => cards(variables, item, items.length === 1))
  return items.map((item) => {
    const label = variables.fill(text(item.content ?? item.title))
    return {
      ...plain,
      label,
      value: item.value ? variables.fill(text(item.value)) : label,
      edge: text(item.outgoingEdgeId),
    }
  })
}

/** A card, or as many as its lists have items where it is the only one. */
function cards(variables: TypebotVariables, item: Fields, alone: boolean): Choice[] {
  const parts = [item.title, item.description, item.imageUrl].map((part) => {
    const variable = variables.alone(text(part))
    return Array.isArray(variable?.value) ? variable.value : variables.fill(text(part))
  })
  const count = alone ? (parts.find((part) => Array.isArray(part))?.length ?? 1) : 1
  return Array.from({ length: count }, (_, at) => {
    const [title = '', description = '', image = ''] = parts.map(
      (part) => (Array.isArray(part) && alone ? part[at] : String(part)) ?? '',
    )
    return list(item.paths).map((path) => ({
      label: variables.fill(text(path.text)),
      value: title,
      edge: text(path.outgoingEdgeId),
      title,
      image,
      description,
    }))
  }).flat()
}
