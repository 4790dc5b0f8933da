import { describe, expect, test } from 'vitest'
import { CONCEPTS, featuresOf } from './features'
import { closer, languageOf } from './language'
import { questionsIn, unrelatedLanguages, unrelatedTo } from './unrelated'
import { tokenize } from './words'

/** The languages of chatbots: 49 in SPEC.md 9. */
const LANGUAGES =
  'af ar bg bn ca cs da de el en es et fa fi fr gu he hi hr hu id it ja ko lt lv mr ms nl no pl pt ro ru sk sl sr sv sw ta te th tl tr uk ur vi zh zh-tw'

test('there are questions for each language of a chatbot', () => {
  expect([...unrelatedLanguages].sort()).toEqual(LANGUAGES.split(' '))
})

test('what the detector knows no difference between is told apart', async () => {
  expect(closer('zh', '請問你們的營業時間?')).toBe('zh-tw')
  expect(closer('zh', '请问你们的营业时间?')).toBe('zh')
  expect(closer('sr', 'Да ли радите недељом?')).toBe('sr')
  expect(closer('sr', 'Da li radite nedeljom?')).toBe('hr')
  expect(closer('nb', 'Hvor er dere?')).toBe('no')
  expect(await languageOf('Hoe laat maak julle winkel oop?')).toBe('af')
  expect(await languageOf('Hoe laat gaat jullie winkel open?')).toBe('nl')
  expect(await languageOf('Kapan toko kalian buka pada hari Minggu?')).toBe('id')
  expect(await languageOf('Bilakah kedai awak dibuka?')).toBe('ms')
  expect(await languageOf('Duka lenu linafunguliwa saa ngapi kwa siku za wiki katika mji huu?')).toBe('sw')
})

test('a word is enough in a script of one language', async () => {
  const words = ['谢谢', '謝謝您', 'はい', '안녕', 'สวัสดี', 'שלום', 'Γεια', 'নমস্কার', 'નમસ્તે', 'வணக்கம்', 'నమస్తే']
  expect(await Promise.all(words.map((word) => languageOf(word)))).toEqual(
    'zh zh-tw ja ko th he el bn gu ta te'.split(' '),
  )
  expect(await languageOf('hallo')).toBeNull()
})

test('a short question that may be in several languages is in the likely one, another stays in its own', async () => {
  expect(await languageOf('¿Abren los domingos?', 'es')).toBe('es')
  expect(await languageOf('was löhnt man als azubi', 'de')).toBe('de')
  expect(await languageOf('do you have parking', 'de')).toBe('en')
  expect(await languageOf('mag de hond mee', 'de')).toBe('nl')
})

test('a chatbot of a language that there are none in gets some made up of its own texts', async () => {
  const texts = ['Dé halla er iepen fan moandei oant en mei freed en de bern binne der ek.']
  expect(unrelatedTo('fy', texts).madeUp).toBe(true)
  expect(unrelatedTo(null, texts).questions.length).toBeGreaterThan(40)
  expect(unrelatedTo('zh', ['請問你們的營業時間?']).questions).toEqual(questionsIn('zh-tw'))
})

describe.each(unrelatedLanguages)('the questions in %s', (language) => {
  const read = async () => questionsIn(language) ?? []

  test('are many, each of them once and of words that can be looked for', async () => {
    const questions = await read()
    expect(questions.length).toBeGreaterThanOrEqual(40)
    const written = questions.map((question) => tokenize(question).join(' '))
    expect(written.length).toBe(new Set(written).size)
    expect(questions.filter((question) => tokenize(question).length < 2)).toEqual([])
    expect(
      questions.filter((question) =>
        featuresOf(tokenize(question))
          .slice(0, CONCEPTS)
          .some((kind) => kind.length === 0),
      ),
    ).toEqual([])
    expect(
      questions.filter((question) => question !== question.trim() || question !== question.normalize('NFC')),
    ).toEqual([])
  })

  test('are told to be in it', async () => {
    const questions = await read()
    expect(await languageOf(questions.join('\n'))).toBe(language)
    const told = await Promise.all(questions.map((question) => languageOf(question)))
    const right = told.filter((each) => each === language)
    expect(right.length).toBeGreaterThan(questions.length / 2)
  })
})
