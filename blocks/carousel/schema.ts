import { z } from 'zod'
import type { Migration } from '../../engine/flow/defineBlock'
import { listenDefaults, listenFields } from '../../engine/flow/inputFields'
import { idSchema } from '../../engine/flow/schema'
import { caps } from '../../engine/values/caps'
import { type DynamicValue, dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { mediaUrlRule, urlRule } from '../../engine/values/rules'

/** Limits for readable carousels; ours. */
export const most = { cards: 10, buttons: 5 } as const

const buttonSchema = z.strictObject({
  id: idSchema,
  label: dynamicValueSchema(caps.label),
  /** opens this address instead of answering: such a button has no port */
  url: dynamicValueSchema(caps.url, urlRule).optional(),
})
const cardSchema = z.strictObject({
  id: idSchema,
  title: dynamicValueSchema(caps.cardTitle),
  description: dynamicValueSchema(caps.cardDescription),
  image: dynamicValueSchema(caps.url, mediaUrlRule),
  /** opened by a click on the image; empty: none */
  imageLink: dynamicValueSchema(caps.url, urlRule),
  buttons: z.array(buttonSchema).max(most.buttons),
})
export const carouselSchema = z.strictObject({
  items: z
    .array(cardSchema)
    .max(most.cards)
    // button ids are the block's port ids, so they are unique across cards
    .refine((items) => isDistinct(items.flatMap(({ buttons }) => buttons.map(({ id }) => id))), {
      message: 'Two buttons have the same ID',
    }),
  /** a card whose title, description or image is just a list variable is repeated for each item */
  repeat: z.boolean(),
  /** the visitor may type instead of choosing */
  typing: z.boolean(),
  placeholder: dynamicValueSchema(caps.placeholder),
  /** stores the button's label, or the typed text */
  saveTo: idSchema.nullable(),
  /** stores the title of the chosen button's card */
  saveCardTo: idSchema.nullable(),
  ...listenFields,
})
export type CardButton = z.infer<typeof buttonSchema>
export type Card = z.infer<typeof cardSchema>
export type CarouselData = z.infer<typeof carouselSchema>

const isDistinct = (ids: readonly string[]): boolean => new Set(ids).size === ids.length

export const isEmptyValue = (value: DynamicValue | undefined): boolean =>
  value === undefined || (value.type === 'static' && value.value.trim() === '')

/** A button with an address opens it; all others answer. */
export const answers = ({ url }: CardButton): boolean => isEmptyValue(url)

export const newButton = (id: () => string): CardButton => ({ id: id(), label: staticValue('') })
export const newCard = (id: () => string): Card => ({
  id: id(),
  title: staticValue(''),
  description: staticValue(''),
  image: staticValue(''),
  imageLink: staticValue(''),
  buttons: [],
})
export const carouselDefaults = (id: () => string): CarouselData => ({
  items: ['First card', 'Second card'].map((title) => ({
    ...newCard(id),
    title: staticValue(title),
    buttons: [{ id: id(), label: staticValue('Choose') }],
  })),
  repeat: false,
  typing: false,
  placeholder: staticValue(''),
  saveTo: null,
  saveCardTo: null,
  ...listenDefaults(),
})

/** Migrates data from before cards could be repeated. */
export const addRepeat: Migration = { name: 'AddRepeat', up: (data) => ({ ...data, repeat: false }) }
