import { expect, test } from 'vitest'
import { isRightToLeft, widgetLanguages } from '../../engine/values/languages'
import { visitorTexts } from '../../server/modules/agents/answering/visitorTexts'
import { withOwnTexts } from './ownTexts'
import { loadPageTexts } from './pageTexts'
import { english, fill, loadTexts, textLanguageOf, textLanguages } from './texts'

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()

test('the chat speaks every language that can be chosen, and those that answers are given in', () => {
  expect([...textLanguages].sort()).toEqual(widgetLanguages.map(({ code }) => code).sort())
  const answered = [...visitorTexts.keys()].map(textLanguageOf)
  // answers are in one Portuguese
  expect([...answered, 'pt-br'].sort()).toEqual([...textLanguages].sort())
})

test('SPEC.md 9 names the languages, and each has a name and what its speakers call it', () => {
  expect(widgetLanguages).toEqual(
    expect.arrayContaining([
      { code: 'en', name: 'English', own: 'English' },
      { code: 'zh-cn', name: 'Chinese (Simplified)', own: '简体中文' },
      { code: 'zh-tw', name: 'Chinese (Traditional)', own: '繁體中文' },
      { code: 'pt-br', name: 'Portuguese (Brazil)', own: 'Português (Brasil)' },
    ]),
  )
  expect(new Set(widgetLanguages.flatMap(({ code, name }) => [code, name])).size).toBe(widgetLanguages.length * 2)
  expect(widgetLanguages.filter(({ rtl }) => rtl).map(({ code }) => code)).toEqual(['ar', 'he', 'fa', 'ur'])
})

test.each(textLanguages)('in %s it says everything, with the same values in it', async (code) => {
  const { language, dir, texts } = await loadTexts(code)
  expect(language).toBe(code)
  expect(dir === 'rtl').toBe(isRightToLeft(code))
  expect(Object.keys(texts)).toEqual(Object.keys(english))
  for (const [key, text] of Object.entries(texts)) {
    expect(text.trim(), key).not.toBe('')
    expect(placeholders(text), key).toEqual(placeholders(english[key as keyof typeof english]))
  }
})

test('a language is known by the names that browsers have for it, and one that is not there is English', async () => {
  const names = ['de-AT', 'pt-BR', 'nb-NO', 'fil-PH', 'zh-CN', 'zh-Hans-SG', 'zh-TW', 'zh-Hant-HK', 'zu', '']
  expect(names.map(textLanguageOf)).toEqual(['de', 'pt-br', 'no', 'tl', 'zh-cn', 'zh-cn', 'zh-tw', 'zh-tw', 'en', 'en'])
  expect(await loadTexts('zu')).toEqual({ language: 'en', dir: 'ltr', texts: english })
  expect(await loadTexts('he')).toMatchObject({ language: 'he', dir: 'rtl', texts: { required: 'חובה' } })
  expect(fill('{n} von {of}', { n: 1, of: 3 })).toBe('1 von 3')
})

test('an editor’s own texts replace those of their language, and nothing else', async () => {
  const own = { de: { send: 'Ab damit', close: '', nothing: 'x' }, fr: { send: 'Hop' } }
  const german = await loadTexts('de')
  expect(withOwnTexts(german, own).texts).toEqual({ ...german.texts, send: 'Ab damit' })
  expect(withOwnTexts(await loadTexts('it'), own).texts.send).not.toBe('Hop')
  expect(withOwnTexts(german, { de: Object.fromEntries([['__proto__', 'x']]) }).texts).toEqual(german.texts)
})

test('an editor’s own texts stand in the parts that few visitors see too', async () => {
  const { texts } = withOwnTexts(await loadTexts('de'), { de: { surveyTitle: 'Wie war’s?', consentYes: '' } })
  expect(await loadPageTexts('de', texts)).toEqual({ ...(await loadPageTexts('de')), surveyTitle: 'Wie war’s?' })
})
