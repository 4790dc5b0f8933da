import { expect, test } from 'vitest'
import { caps } from '../values/caps'
import { plainRichText } from '../values/richText'
import { differenceText, messageText, searchedText } from './recordingWords'

test('a card without a description is its title alone', () => {
  const card = { id: 'a', title: 'Racing bike', description: '', buttons: [] }
  const text = messageText({ kind: 'carousel', items: [card, { ...card, id: 'b', description: 'Light' }] })
  expect(text).toBe('[card: Racing bike]\n[card: Racing bike] Light')
})

test('what a difference found is nothing, a text as it is, or a value as it is printed', () => {
  for (const type of ['left', 'path', 'set', 'asked'] as const) expect(differenceText(type, null)).toBe('nothing')
  expect(differenceText('said', [])).toBe('nothing')
  expect(differenceText('left', 'yes')).toBe('yes')
  expect(differenceText('set', { name: 'Ada' })).toBe('{"name":"Ada"}')
})

test('what is searched are the words as a database can hold them, cut where they are long; a message without any has none', () => {
  const searched = (words: string) => searchedText({ kind: 'text', text: plainRichText(words) })
  expect(searched('Tea\u0000 or coffee')).toBe('Tea or coffee')
  expect(searched('x'.repeat(caps.userMessage + 1))).toHaveLength(caps.userMessage)
  expect(searched('')).toBeNull()
})
