import { expect, test } from 'vitest'
import type { AiSettings } from '../../../server/contracts/ai'
import { changesOf, draftOf, readCredits } from './draft'

const saved: AiSettings = {
  model_id: 1,
  fallback_model_id: null,
  language: 'Auto',
  temperature: 0.2,
  suggestions: true,
  hide_urls: ['/a'],
  monthly_budget: 12.5,
  visitor_budget: null,
}

test('a draft of what is saved changes nothing, and one that differs changes that alone', () => {
  const draft = draftOf(saved)
  expect(changesOf(draft, saved)).toEqual({})
  const next = { ...draft, temperature: 0.3, hide_urls: ' /a \n\n/b', monthly_budget: '' }
  expect(changesOf(next, saved)).toEqual({ temperature: 0.3, hide_urls: ['/a', '/b'], monthly_budget: null })
})

test('credits take a point or a comma, and what is no number is not saved as one', () => {
  expect(['', ' 3 ', '2,5', '0.25', '-1', '1e9', 'many', '1.'].map(readCredits)).toEqual([
    null,
    3,
    2.5,
    0.25,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect(changesOf({ ...draftOf(saved), visitor_budget: 'many' }, saved)).toBeNull()
})
