import type { BotMessage } from '../../engine/flow/effects'
import type { Json } from '../../engine/values/json'
import { printValue, renderText, resolveValue, type Variables } from '../../engine/values/render'
import { isExternalUrl, isMediaUrl } from '../../engine/values/url'
import { type Card, type CarouselData, most } from './schema'

export type ShownCard = Extract<BotMessage, { kind: 'carousel' }>['items'][number]

/** The rendered cards; with `repeat`, cards with lists once per item, with numbered buttons. */
export const shownCards = ({ items, repeat }: CarouselData, variables: Variables): ShownCard[] =>
  (repeat ? items.flatMap((card) => repeated(card, variables)) : items.map((card) => present(card, variables))).slice(
    0,
    most.cards,
  )

/** The button of a rendered card's option. */
export const buttonOf = ({ items }: CarouselData, optionId: string): string => {
  const ids = new Set(items.flatMap(({ buttons }) => buttons.map(({ id }) => id)))
  return ids.has(optionId) ? optionId : optionId.replace(/\.\d+$/, '')
}

function repeated(card: Card, variables: Variables): ShownCard[] {
  const lists = [card.title, card.image, card.description].map((value) => resolveValue(value, variables))
  const length = lists.find((value) => Array.isArray(value))?.length
  if (length === undefined) return [present(card, variables)]
  return Array.from({ length: Math.min(length, most.cards) }, (_, at) => {
    const [title, image, description] = lists.map((value) => printValue(itemOf(value, at))) as [string, string, string]
    const shown = present(card, variables)
    const address = image.trim()
    const { image: _whole, imageLink, ...rest } = shown
    return {
      ...rest,
      id: `${card.id}.${at}`,
      title,
      description,
      ...(isMediaUrl(address) && { image: address, ...(imageLink !== undefined && { imageLink }) }),
      buttons: shown.buttons.map((button) => ({ ...button, id: `${button.id}.${at}` })),
    }
  })
}

const itemOf = (value: Json, at: number): Json => (Array.isArray(value) ? (value[at] ?? null) : value)

function present(card: Card, variables: Variables): ShownCard {
  const image = renderText(card.image, variables).trim()
  const imageLink = renderText(card.imageLink, variables).trim()
  return {
    id: card.id,
    title: renderText(card.title, variables),
    description: renderText(card.description, variables),
    ...(isMediaUrl(image) && { image, ...(isExternalUrl(imageLink) && { imageLink }) }),
    buttons: card.buttons.map(({ id, label, url }) => {
      const address = url ? renderText(url, variables).trim() : ''
      return { id, label: renderText(label, variables), ...(isExternalUrl(address) && { url: address }) }
    }),
  }
}
