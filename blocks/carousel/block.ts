import { defineBlock, type Port } from '../../engine/flow/defineBlock'
import type { Reply } from '../../engine/flow/effects'
import { listening, listenPorts, timeoutOf } from '../../engine/flow/inputFields'
import { ask, read, render, sayMessage, setVariable } from '../../engine/flow/steps'
import { optionsPart } from '../../engine/flow/visitorParts'
import { counts } from '../../engine/values/caps'
import { dynamicValueToString, dynamicValueVariables } from '../../engine/values/dynamicValue'
import { carouselFromTypebot } from './import'
import { addRepeat, answers, type CarouselData, carouselDefaults, carouselSchema, isEmptyValue } from './schema'
import { buttonOf, type ShownCard, shownCards } from './shownCards'

/**
 * Shows cards side by side. If any button answers, it asks: each such button has its own port, and `next` takes the
 * rest (typed texts, buttons without a connection, ten invalid replies). A typed text that equals a label (ignoring
 * case) is the first button with it. If all buttons open pages, it asks nothing and goes on.
 */
export const carousel = defineBlock({
  kind: 'carousel',
  category: 'bubble',
  title: 'Carousel',
  help: 'Shows cards with images and buttons side by side.',
  schema: carouselSchema,
  defaults: carouselDefaults,
  visitorTexts: ['items.*.title', 'items.*.description', 'items.*.buttons.*.label', 'placeholder'],
  migrations: [addRepeat],
  wants: 'carousel',
  instead: 'cards',
  visitorParts: ({ items }) => {
    const answering = items.flatMap(({ buttons }, card) =>
      buttons.flatMap((button, at) =>
        answers(button) ? [{ ...button, path: `items.${card}.buttons.${at}.label` }] : [],
      ),
    )
    return [optionsPart('items', answering, (at) => answering[at]?.path ?? 'items')]
  },
  importers: [carouselFromTypebot],
  ports,
  reads: (data) =>
    [
      ...data.items.flatMap(({ title, description, image, imageLink, buttons }) => [
        ...[title, description, image, imageLink],
        ...buttons.flatMap(({ label, url }) => (url ? [label, url] : [label])),
      ]),
      data.placeholder,
    ].flatMap(dynamicValueVariables),
  writes: ({ saveTo, saveCardTo }) => [saveTo, saveCardTo].filter((id) => id !== null),
  assures: (data, portId) =>
    portId !== 'next' && portId !== 'no-reply'
      ? [data.saveTo, data.saveCardTo].flatMap((id) => id ?? [])
      : portId === 'next' && data.typing && data.saveTo && asks(data)
        ? [data.saveTo]
        : [],
  waits: asks,
  problems: ({ items }) => (items.length === 0 ? [{ path: 'items', message: 'Add a card' }] : []),
  *run(data) {
    const variables = yield* read()
    const items = shownCards(data, variables).filter(hasContent)
    if (items.length > 0) yield* sayMessage({ kind: 'carousel', items })
    const options = items.flatMap(({ buttons }) => buttons.filter(({ url }) => url === undefined))
    if (options.length === 0) return 'next'
    const placeholder = yield* render(data.placeholder)
    for (let attempt = 1; attempt <= counts.attempts; attempt++) {
      const reply = yield* ask(
        {
          input: 'choice',
          multiple: false,
          typing: data.typing,
          placeholder,
          options,
          shown: 'cards',
          ...timeoutOf(data),
        },
        listening(data),
      )
      if (reply.type === 'timeout') return 'no-reply'
      const chosen = chosenOption(options, reply)
      const text = chosen ? chosen.label : data.typing && reply.type === 'text' ? reply.text.trim() : ''
      if (!chosen && text === '') continue
      if (data.saveTo) yield* setVariable(data.saveTo, text)
      const card = items.find(({ buttons }) => buttons.some(({ id }) => id === chosen?.id))
      if (card && data.saveCardTo) yield* setVariable(data.saveCardTo, card.title)
      const id = chosen && buttonOf(data, chosen.id)
      return id !== undefined &&
        data.items.some(({ buttons }) => buttons.some((button) => button.id === id && answers(button)))
        ? id
        : 'next'
    }
    return 'next'
  },
})

function ports(data: CarouselData): Port<string>[] {
  const buttons = data.items.flatMap((card, at) =>
    card.buttons.filter(answers).map(({ id, label }, index) => ({
      id,
      label: isEmptyValue(label) ? `Card ${at + 1}, button ${index + 1}` : dynamicValueToString(label, () => '…'),
      row: id,
      fallback: 'next',
    })),
  )
  // a button answers if its rendered address is invalid
  const asks = data.items.some((card) =>
    card.buttons.some((button) => answers(button) || button.url?.type === 'dynamic'),
  )
  const rest = data.typing ? 'Otherwise' : 'Any other button'
  return [
    ...buttons,
    buttons.length > 0 ? { id: 'next', label: rest } : { id: 'next' },
    ...(asks ? listenPorts(data, 'next') : []),
  ]
}

const hasContent = ({ title, description, image, buttons }: ShownCard): boolean =>
  image !== undefined || buttons.length > 0 || `${title}${description}`.trim() !== ''

function chosenOption(options: ShownCard['buttons'], reply: Reply): ShownCard['buttons'][number] | undefined {
  if (reply.type === 'choice') {
    const chosen = options.filter(({ id }) => reply.optionIds.includes(id))
    return chosen.length === 1 ? chosen[0] : undefined
  }
  const typed = reply.type === 'text' ? reply.text.trim().toLowerCase() : ''
  return typed === '' ? undefined : options.find(({ label }) => label.trim().toLowerCase() === typed)
}

function asks({ items }: CarouselData): boolean {
  return items.some(({ buttons }) => buttons.some(answers))
}
