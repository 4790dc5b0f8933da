import { expect, test } from 'vitest'
import { writtenIn } from './writtenIn'

test.each([
  ['Wann kann ich meine Lampe zurückgeben?', 'de'],
  ['¿Cuándo puedo devolver mi lámpara?', 'es'],
  ['متى يمكنني إرجاع المصباح الخاص بي؟', 'ar'],
  ['いつ返品できますか', 'ja'],
  ['When can I return my lamp, please?', 'en'],
])('%s is recognised as %s', async (text, language) => {
  expect(await writtenIn(text)).toBe(language)
})

test.each(['Ada', 'ok', 'Hola', 'Ada Lovelace', 'ada@example.com', '', '😀 👍', '12 / 2024'])(
  'what says too little is in no language: %s',
  async (text) => {
    expect(await writtenIn(text)).toBeNull()
  },
)
