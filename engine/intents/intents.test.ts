import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadFindMeaning } from '../../server/modules/knowledge/meaning/findMeaning'
import { createClassifier } from './createClassifier'
import { type IntentExamples, trainIntents } from './trainIntents'

const shop: IntentExamples[] = [
  {
    blockId: 'refund',
    phrases: [
      'I want my money back',
      'how do I get a refund',
      'can I return this',
      'refund my order please',
      'I would like to send it back',
      'give me a refund for the shoes',
      'return an item I bought',
      'the jacket does not fit, I want to return it',
    ],
  },
  {
    blockId: 'delivery',
    phrases: [
      'where is my parcel',
      'when will my order arrive',
      'track my delivery',
      'my package has not come yet',
      'how long does shipping take',
      'has my order been shipped',
      'delivery status please',
      'the courier did not come',
    ],
  },
  {
    blockId: 'hours',
    phrases: [
      'when are you open',
      'what are your opening hours',
      'are you open on sunday',
      'until when is the shop open',
      'what time do you close',
      'opening times on holidays',
      'do you open early on monday',
      'is the store closed today',
    ],
  },
]
const find = await loadFindMeaning()
const classify = createClassifier(trainIntents(shop, find), find)
const without = createClassifier(trainIntents(shop, null), null)
const found = (text: string) => classify(text)[0]?.blockId ?? null

test.each([
  ['please refund me', 'refund'],
  ['i want to return the shoes', 'refund'],
  ['where is my package', 'delivery'],
  ['has my parcel been shipped yet', 'delivery'],
  ['are you open on monday', 'hours'],
  ['what time does the shop close', 'hours'],
])('knows what was not among the phrases: %s', (text, intent) => {
  expect(found(text)).toBe(intent)
})

test.each([
  ['i want a refnud', 'refund'],
  ['where is my pacel', 'delivery'],
  ['WHAT ARE YOUR OPENING HOURS???', 'hours'],
])('forgives typing errors and case: %s', (text, intent) => {
  expect(found(text)).toBe(intent)
})

test.each(['', '   ', '?!', '😀', 'tell me a joke', 'my name is Ada', 'qwertz uiop', '12345', 'ada@example.com'])(
  'what fits nothing is left alone: %j',
  (text) => {
    expect(found(text)).toBeNull()
    expect(without(text)).toEqual([])
  },
)

test.each([
  ['is the courier late', 'delivery'],
  ['when can i visit the store', 'hours'],
])('knows other words of the same meaning: %s', (text, intent) => {
  expect(found(text)).toBe(intent)
  expect(without(text)).toEqual([])
})

test('the best stands first, with chances between 0 and 1', () => {
  const all = createClassifier(trainIntents(shop, find), find, 0)('can I return my order')
  expect(all[0]?.blockId).toBe('refund')
  for (const [at, { confidence }] of all.entries()) {
    expect(confidence).toBeGreaterThanOrEqual(0)
    expect(confidence).toBeLessThanOrEqual(all[at - 1]?.confidence ?? 1)
  }
})

test('the same phrases give the same model, so that a turn that is repeated goes the same way', () => {
  expect(trainIntents(shop, find)).toEqual(trainIntents(structuredClone(shop), find))
})

describe('other languages', () => {
  const languages: [string, IntentExamples[], [string, string | null][]][] = [
    [
      'German',
      [
        {
          blockId: 'refund',
          phrases: [
            'ich möchte mein Geld zurück',
            'wie gebe ich das zurück',
            'Rückgabe einer Bestellung',
            'ich will die Schuhe zurückgeben',
            'Geld zurück bitte',
          ],
        },
        {
          blockId: 'hours',
          phrases: [
            'wann habt ihr offen',
            'Öffnungszeiten',
            'habt ihr sonntags geöffnet',
            'wie lange ist der Laden auf',
            'wann macht ihr zu',
          ],
        },
      ],
      [
        ['kann ich die Jacke zurückgeben', 'refund'],
        ['habt ihr am Montag geöffnet', 'hours'],
        ['erzähl mir einen witz', null],
      ],
    ],
    [
      'Chinese, which has no spaces',
      [
        { blockId: 'refund', phrases: ['我要退款', '怎么退货', '我想把商品退回去', '可以退钱吗', '申请退款'] },
        { blockId: 'hours', phrases: ['你们几点开门', '营业时间是什么', '星期天开门吗', '几点关门', '今天营业吗'] },
      ],
      [
        ['我想申请退货', 'refund'],
        ['星期一几点开门', 'hours'],
      ],
    ],
  ]
  test.each(languages)('%s', (_name, intents, cases) => {
    const inThat = createClassifier(trainIntents(intents, find), find, 0.5)
    for (const [text, intent] of cases) expect([text, inThat(text)[0]?.blockId ?? null]).toEqual([text, intent])
  })
})

test('no intents, intents without phrases, and hostile words do no harm', () => {
  expect(createClassifier(trainIntents([], find), find)('hello')).toEqual([])
  const odd = trainIntents(
    [
      { blockId: 'empty', phrases: [] },
      { blockId: 'blank', phrases: ['', ' ', '!!!'] },
      { blockId: 'odd', phrases: ['__proto__ constructor', 'x'.repeat(50_000), '\ud800'] },
    ],
    find,
  )
  expect(odd.classes).toEqual(['odd', null])
  expect(createClassifier(odd, find)('__proto__ constructor')[0]?.blockId).toBe('odd')
})

test('any text is answered, however long', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.constant('order '.repeat(4_000))), (text) => {
      expect(classify(text).every(({ confidence }) => confidence <= 1)).toBe(true)
    }),
    { seed: 20261121, numRuns: 200 },
  )
})
