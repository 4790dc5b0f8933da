import { expect, test } from 'vitest'
import { aiLanguages } from '../../../../engine/values/aiLanguages'
import { unrelatedLanguages } from '../../knowledge/retrieval/unrelated'
import { isSame, smallTalkOf } from './smallTalk'
import { codeOf, smallTalkKinds, textsIn, visitorTexts } from './visitorTexts'

const kindOf = (message: string, likely: string | null = null) =>
  smallTalkOf(message, ['Lampy', 'Lamp shop'], likely)?.kind ?? null

test('what is said to visitors is there in each language of a chatbot, all of it', () => {
  expect([...visitorTexts.keys()].sort()).toEqual([...unrelatedLanguages].sort())
  for (const [language, texts] of visitorTexts) {
    const { said, replies, fields, ...sentences } = texts
    const all = [...Object.values(sentences), ...Object.values(replies), ...Object.values(fields)]
    expect(all.filter((text) => text.trim() === '' || text !== text.trim() || text !== text.normalize('NFC'))).toEqual(
      [],
    )
    expect(replies.about, language).toContain('{name}')
    expect(Object.values(said).every((phrases) => phrases.length >= 4)).toBe(true)
  }
  expect(new Set([...visitorTexts.values()].map(({ notFound }) => notFound)).size).toBe(visitorTexts.size)
})

test('the language that is set has its texts, whatever its name is', () => {
  const codes = ['Chinese (Traditional)', 'Portuguese (Brazil)', 'Filipino', 'Auto', 'nonsense'].map(codeOf)
  expect(codes).toEqual(['zh-tw', 'pt', 'tl', null, null])
  expect(aiLanguages.filter((name) => visitorTexts.has(codeOf(name) ?? '')).length).toBeGreaterThanOrEqual(49)
  expect(textsIn('zu')).toBe(textsIn('en'))
})

test.each([...visitorTexts])(
  'small talk in %s is understood as what it is, and in that language',
  (language, { said }) => {
    for (const kind of smallTalkKinds)
      for (const phrase of said[kind]) {
        expect(smallTalkOf(`${phrase}!`, [], language), phrase).toMatchObject({ kind })
        expect(smallTalkOf(phrase.toUpperCase(), [], language)?.languages, phrase).toContain(language)
      }
  },
)

test('signs, marks, case, the chatbot’s names and several in a row change nothing', () => {
  expect(kindOf('Hi!!! 👋😀')).toBe('greeting')
  expect(kindOf('hello Lampy')).toBe('greeting')
  expect(kindOf('Good morning, Lamp Shop :)')).toBe('greeting')
  expect(kindOf('dziekuje')).toBe('thanks')
  expect(kindOf('How’s it going?')).toBe('howAreYou')
  expect(kindOf('Hi! How are you?')).toBe('howAreYou')
  expect(kindOf('ok thank you, bye')).toBe('goodbye')
  expect(kindOf('สวัสดีครับ ขอบคุณครับ')).toBe('thanks')
  expect(kindOf('你好，你是谁？')).toBe('about')
  expect(kindOf('👍')).toBe('fine')
})

test.each([
  'Hi, what are your opening hours?',
  'hi lamp',
  'Thanks, and how long does delivery take?',
  'Who are you delivering with?',
  'help me choose a lamp',
  'Lampy',
  'no',
  'yes',
  '😀',
  '',
  '42',
  '你好吗店铺几点开门',
  `hi ${'hi '.repeat(40)}`,
])('what asks or says anything else is no small talk: %s', (message) => {
  expect(kindOf(message)).toBeNull()
})

test('a phrase of several languages is taken in the one that is spoken', () => {
  expect(smallTalkOf('ciao', [], 'it')).toEqual({ kind: 'greeting', languages: ['it'] })
  expect(smallTalkOf('ciao', [], 'de')).toEqual({ kind: 'goodbye', languages: ['de', 'fr'] })
  expect(smallTalkOf('ciao', [], null)?.kind).toBe('greeting')
  expect(smallTalkOf('ok, gracias', [], null)?.languages).toEqual(['es'])
})

test('texts are the same however they are written', () => {
  expect(isSame('Who are you?', 'who are you')).toBe(true)
  expect(isSame('Who are you?', 'Who are they?')).toBe(false)
})
