import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import i18next from 'i18next'
import { afterAll, expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import german from './de/phrases.json'
import phrases from './en/phrases.json'
import { messageText, withNamedOutputs } from './phrases'

const root = join(import.meta.dirname, '../..')
const sources = ['blocks', 'engine/crm', 'engine/flow']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => /\.ts$/.test(file) && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(root, file), 'utf8'))
/** In the order of the sources, each once. */
const found = (pattern: RegExp) => [
  ...new Set(sources.flatMap((source) => [...source.matchAll(pattern)].map(([, ...parts]) => parts.join('.')))),
]

test('each output that a kind of block names can be said in other languages', () => {
  const known = Object.entries(phrases.outputs).flatMap(([id, labels]) =>
    Object.keys(labels).map((label) => `${id}.${label}`),
  )
  const outputs = found(/\{ id: '([\w-]+)'(?: as const)?, label: '([^']+)'/g)
  expect(outputs.length).toBeGreaterThan(10)
  expect(outputs.filter((output) => !known.includes(output))).toEqual([])
})

test('so can each message of what is still to be filled in', () => {
  const messages = found(/\bmessage: '([A-Z][^']+)'/g)
  expect(messages.length).toBeGreaterThan(30)
  expect(messages.filter((message) => !Object.keys(phrases.messages).includes(message))).toEqual([])
})

test('in English each is as the kind has it', () => {
  for (const [english, text] of [
    ...Object.values(phrases.outputs).flatMap((labels) => Object.entries(labels)),
    ...Object.entries(phrases.messages),
  ])
    expect(text).toBe(english)
})

test('outputs of kinds are named in the language that is chosen; what editors wrote stays', async () => {
  await i18next.init({ lng: 'de', resources: { de: { phrases: german } } })
  const data = {
    ...(registry.get('buttons').defaults(() => 'x1') as object),
    options: [{ id: 'o1', label: { type: 'static', value: 'Failure' } }],
  }
  const labels = (kinds: typeof registry) =>
    kinds
      .find('buttons')
      ?.ports(data)
      .map(({ label }) => label)
  expect(labels(registry)).toEqual(expect.arrayContaining(['Failure', 'Otherwise']))
  expect(labels(withNamedOutputs(registry))).toEqual(expect.arrayContaining(['Failure', 'Sonst']))
  expect(messageText('Choose a flow')).toBe('Wählen Sie einen Flow')
  expect(messageText('Said by nobody.')).toBe('Said by nobody.')
})
afterAll(() => i18next.changeLanguage('en'))
