import type { BotMessage } from '../types'

type Text = Extract<BotMessage, { kind: 'text' }>['text']

/** What a text says, a line for each paragraph; items of lists have their sign. */
export const richTextToString = (text: Text): string =>
  text
    .map(({ list, children }) => `${list ? '- ' : ''}${children.map((leaf) => leaf.text).join('')}`)
    .join('\n')
    .trim()
