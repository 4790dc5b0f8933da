import { expect, test } from 'vitest'
import { rewriteByRule } from './rewriteQuestion'

const before = (text: string) => [
  { by: 'visitor' as const, text },
  { by: 'bot' as const, text: 'Six days [1].' },
]

test.each([
  ['en', 'How long do parcels take?', 'what if I want to return the lamp'],
  ['en', 'How long do parcels take?', 'Is there a workshop in Lyon?'],
  ['de', 'Wie lange braucht ein Paket?', 'Haben Sie das Lager in Lyon noch?'],
  ['fr', 'Combien de temps prend un colis ?', 'Est-ce que vous réparez les lampes ?'],
  ['es', '¿Cuánto tarda un paquete?', '¿Cuál es la dirección del taller?'],
  [null, 'How long do parcels take?', 'I want to see a list of shops'],
])('in %s, after “%s”, “%s” stands for itself', (language, earlier, question) => {
  expect(rewriteByRule(question, before(earlier), language)).toBeNull()
})

test.each([
  ['en', 'Which lamps are there?', 'How long is it covered by the warranty?'],
  ['en', 'Do you ship lamps abroad?', 'What about parcels to islands?'],
  ['de', 'Welche Lampen gibt es?', 'Und welche Birnen passen da hinein?'],
  ['fr', 'Réparez-vous les lampes ?', 'Combien de temps cela peut durer ?'],
  ['pl', 'Czy naprawiacie lampy?', 'Ile czasu zajmuje ta naprawa u was?'],
  ['zh', '你们修灯吗?', '这个要多长时间才能修好呢'],
])('in %s, after “%s”, “%s” refers back to it', (language, earlier, question) => {
  expect(rewriteByRule(question, before(earlier), language)).toEqual({
    question: `${earlier} ${question}`,
    refers: true,
  })
})

test('a word or two are joined to what was asked before, but may stand for themselves', () => {
  expect(rewriteByRule('Opening hours', before('Where is the shop?'), 'en')).toEqual({
    question: 'Where is the shop? Opening hours',
    refers: false,
  })
  expect(rewriteByRule('Thanks!', before('Where is the shop?'), 'en')).toBeNull()
  expect(rewriteByRule('And on Sundays?', [], 'en')).toBeNull()
})
