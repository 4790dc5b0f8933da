import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { rankKinds } from './rankKinds'

const texts = (kind: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../../blocks/${kind}/en.json`, import.meta.url), 'utf8'))
const find = (search: string) =>
  rankKinds(
    registry.kinds.filter(({ inPalette }) => inPalette),
    search,
    {
      title: (kind) => texts(kind).title ?? '',
      help: (kind) => texts(kind).help ?? '',
      keywords: (kind) => texts(kind).keywords ?? '',
    },
  ).map(({ kind }) => kind)

test.each([
  ['send', 'send-email'],
  ['text', 'text'],
  ['te', 'text'],
  ['input', 'text-input'],
  ['message', 'text'],
  ['if', 'condition'],
  ['api', 'http-request'],
  ['webhook', 'webhook'],
  ['delay', 'wait'],
  ['human', 'hand-off'],
  ['rating', 'satisfaction'],
  ['url', 'url-input'],
  ['  URL   in', 'url-input'],
])('“%s” means %s first', (search, kind) => {
  expect(find(search)[0]).toBe(kind)
})

test('the beginning of a name comes before the rest of it, that before a keyword, and a keyword before the help', () => {
  const words: Record<string, [title: string, keywords: string, help: string]> = {
    help: ['A/B split', 'random', 'Sends visitors different ways.'],
    keyword: ['Text', 'say, send', 'Shows words.'],
    inside: ['Resend', '', ''],
    word: ['To send', '', ''],
    name: ['Send email', '', ''],
  }
  const of = (place: 0 | 1 | 2) => (kind: string) => words[kind]?.[place] ?? ''
  const kinds = Object.keys(words).map((kind) => ({ kind }))
  const found = rankKinds(kinds, 'send', { title: of(0), keywords: of(1), help: of(2) })
  expect(found.map(({ kind }) => kind)).toEqual(['name', 'word', 'inside', 'keyword', 'help'])
})

test('what nothing says finds nothing, and an empty search everything', () => {
  expect(find('zzz')).toEqual([])
  expect(find(' ')).toEqual(registry.kinds.filter(({ inPalette }) => inPalette).map(({ kind }) => kind))
})
