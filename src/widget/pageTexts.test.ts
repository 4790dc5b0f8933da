import { expect, test } from 'vitest'
import { englishPage, loadPageTexts, pageTextLanguages } from './pageTexts'
import { textLanguages } from './texts'

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()

test('the closed page, the door, consent and the survey speak the languages of the chat', () => {
  expect([...pageTextLanguages].sort()).toEqual([...textLanguages].sort())
})

test.each(pageTextLanguages)('in %s they say everything, with the same values in it', async (code) => {
  const texts = await loadPageTexts(code)
  if (code !== 'en') expect(texts).not.toBe(englishPage)
  expect(Object.keys(texts)).toEqual(Object.keys(englishPage))
  for (const [key, text] of Object.entries(texts)) {
    expect(text.trim(), key).not.toBe('')
    expect(placeholders(text), key).toEqual(placeholders(englishPage[key as keyof typeof englishPage]))
  }
})

test('who speaks none of them reads English', async () => {
  expect(await loadPageTexts('zu')).toBe(englishPage)
})
