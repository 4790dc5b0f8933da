import type { AnyBlock } from '../../../engine/flow/defineBlock'
import { outputsOf } from './kindOutputs'
import { settingsOf } from './kindSettings'
import { categoryNames, textsOfKind } from './texts'

const PRODUCTS: Readonly<Record<string, string>> = { typebot: 'Typebot', dify: 'Dify', flowise: 'Flowise' }
const INSTEAD = {
  nothing: 'they get nothing of it, and the conversation goes on',
  cards: 'they get its cards one below another',
  link: 'they get a link',
  fields: 'they are asked field after field',
} as const

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '{': '&#123;',
  '}': '&#125;',
  '|': '&#124;',
  '*': '&#42;',
  _: '&#95;',
  '\n': ' ',
}

/** A text as Markdown that means only itself, in tables too, and nothing to Vue. */
export const plain = (text: string): string => text.replace(/[&<>{}|*_\n]/g, (found) => ESCAPES[found] ?? found)

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** The page of a kind of block, in Markdown. */
export function kindPage(definition: AnyBlock): string {
  const { title, help, keywords } = textsOfKind(definition.kind)
  const sections = [
    `# ${plain(title)}`,
    plain(help),
    placeOf(definition, keywords),
    '## Outputs',
    outputsText(definition),
    '## Settings',
    settingsText(definition),
    '## Good to know',
    notesOf(definition)
      .map((note) => `- ${note}`)
      .join('\n'),
  ]
  return sections.join('\n\n')
}

function placeOf({ category, inPalette, kind }: AnyBlock, keywords: string): string {
  const words = keywords ? ` Searching for ${plain(keywords)} finds it too.` : ''
  const where = inPalette
    ? `In the block list under **${plain(categoryNames()[category] ?? category)}**.${words}`
    : 'Not in the block list: imports put it where they have no counterpart for a block.'
  return `${where} In files of flows its kind is \`${kind}\`.`
}

function outputsText(definition: AnyBlock): string {
  const outputs = outputsOf(definition)
  if (outputs.length === 0) return 'None: the conversation, or this part of it, ends here or goes on elsewhere.'
  return table(
    ['Output', 'There when'],
    outputs.map(({ label, when }) => [`**${plain(label)}**`, plain(when) || 'always, or in a new block']),
  )
}

function settingsText(definition: AnyBlock): string {
  const settings = settingsOf(definition)
  if (settings.length === 0) return 'It has none.'
  return table(
    ['Setting', 'Kind', 'Limits', 'New block'],
    settings.map(({ label, help, type, limits, initial }) => [
      help ? `**${plain(label)}**<br>${plain(help)}` : `**${plain(label)}**`,
      plain(type),
      limits || '–',
      plain(initial) || '–',
    ]),
  )
}

function notesOf(definition: AnyBlock): string[] {
  const notes: string[] = []
  if (definition.startsOn)
    notes.push('It is a [trigger](/editors/triggers): a conversation begins here, so no edge leads to it.')
  if (definition.waits({ ...definition.defaults(() => 'item') } as never))
    notes.push('The conversation waits here, until the visitor answers or the time is over.')
  if (definition.visitorTexts.length > 0)
    notes.push('What visitors read of it can be [translated](/editors/translations).')
  if (definition.sendsMail)
    notes.push('It needs a [mail server](/operators/settings); without one, mails stay in the outbox.')
  if (definition.wants) notes.push(`Where a channel can't show it, ${INSTEAD[definition.instead]}.`)
  const products = [...new Set(definition.importers.map(({ product }) => PRODUCTS[product] ?? product))]
  if (products.length > 0)
    notes.push(`Flows of ${products.join(', ')} bring theirs when they are [imported](/editors/import-export).`)
  notes.push(
    'What it does with [variables](/editors/variables-and-texts), and how blocks are [connected](/editors/canvas), is the same for all kinds.',
  )
  return notes
}
