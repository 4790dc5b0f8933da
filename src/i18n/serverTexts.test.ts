import i18next from 'i18next'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiErrors } from '../../server/platform/errors'
import { checkResponse } from '../api/check'
import type { ApiFailure } from '../api/failure'
import german from './de/serverTexts.json'
import english from './en/serverTexts.json'
import { inOwnLanguage } from './serverTexts'

beforeAll(() => i18next.init({ lng: 'de', resources: { de: { serverTexts: german } } }))
afterAll(() => i18next.changeLanguage('en'))

test('each error of the server can be said in other languages', () => {
  const missing = Object.values(apiErrors).filter(({ text }) => !(text in english))
  expect(missing).toEqual([])
  for (const [key, text] of Object.entries(english)) expect(text).toBe(key)
})

test('a refused call says why in the language that is chosen, and so do its fields', () => {
  const body = {
    success: false,
    code: 'invalid',
    data: {
      message: apiErrors.invalid.text,
      fields: { name: 'Must not exceed 1,000 characters', other: 'Only the server knows: 3' },
    },
  }
  const refused = () => checkResponse(422, JSON.stringify(body))
  expect(refused).toThrow('Beheben Sie die Fehler im Formular, und versuchen Sie es erneut')
  try {
    refused()
  } catch (error) {
    expect((error as ApiFailure).fields).toEqual({
      name: 'Darf 1,000 Zeichen nicht überschreiten',
      other: 'Only the server knows: 3',
    })
  }
})

test('English stays as the server has it', async () => {
  await i18next.changeLanguage('en')
  expect(inOwnLanguage('Wrong password.')).toBe('Wrong password.')
})
