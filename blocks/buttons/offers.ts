import type { Reply } from '../../engine/flow/effects'
import { counts } from '../../engine/values/caps'
import { cleanText } from '../../engine/values/cleanText'
import { type ComparisonSurroundings, conditionHolds } from '../../engine/values/comparison'
import { type DynamicValue, dynamicValueLength, dynamicValueVariables } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { isUnset, printValue, renderText, type Variables, variableValue } from '../../engine/values/render'
import { isExternalUrl } from '../../engine/values/url'
import { readValuePath } from '../../engine/values/valuePath'
import { type ButtonOption, type ButtonsData, isReservedId } from './schema'

/** A rendered option. */
export interface Offer {
  id: string
  label: string
  /** the value to save */
  value: Json
  /** opens this address instead of answering */
  url?: string
  port: string
}

/** Most characters of a label from a list. */
const LONGEST_LABEL = 250

/** The present options: first the list's items, then those whose condition holds. */
export function offersOf(data: ButtonsData, variables: Variables, surroundings: ComparisonSurroundings): Offer[] {
  const shown = data.options.filter(({ condition }) => !condition || conditionHolds(condition, variables, surroundings))
  return [...listed(data.list, variables), ...shown.map((option) => offerOf(option, variables))]
}

function listed({ variableId, labelPath, valuePath }: ButtonsData['list'], variables: Variables): Offer[] {
  const value = variableValue(variables, variableId)
  const items = Array.isArray(value) ? value : isUnset(value) ? [] : [value]
  return items
    .slice(0, counts.options)
    .map((item, index) => ({
      id: `item-${index}`,
      label: cleanText(printValue(readValuePath(item, labelPath)).trim().slice(0, LONGEST_LABEL)),
      value: readValuePath(item, valuePath),
      port: 'default',
    }))
    .filter(({ label }) => label !== '')
}

function offerOf(option: ButtonOption, variables: Variables): Offer {
  const label = renderText(option.label, variables)
  const value = option.value ? renderText(option.value, variables) : ''
  const url = option.url ? renderText(option.url, variables).trim() : ''
  return {
    id: option.id,
    label,
    value: isUnset(value) ? label : value,
    ...(isExternalUrl(url) && { url }),
    port: hasPort(option) ? option.id : 'default',
  }
}

/** An option with an address opens it; all others answer, each by its own port. */
export const hasPort = (option: ButtonOption): boolean =>
  !isReservedId(option.id) && (!option.url || isBlankText(option.url))

export const isBlankText = (value: DynamicValue): boolean =>
  dynamicValueLength(value) === 0 && dynamicValueVariables(value).length === 0

/** The offers chosen by a reply; none if it is invalid. A typed label chooses its option. */
export function chosenOffers(offers: readonly Offer[], reply: Reply, multiple: boolean): Offer[] {
  const open = offers.filter(({ url }) => url === undefined)
  if (reply.type === 'choice') {
    const chosen = open.filter(({ id }) => reply.optionIds.includes(id))
    return multiple || chosen.length <= 1 ? chosen : []
  }
  if (reply.type !== 'text') return []
  const typed = reply.text.trim().toLowerCase()
  return open.filter(({ label }) => typed !== '' && label.trim().toLowerCase() === typed).slice(0, 1)
}
