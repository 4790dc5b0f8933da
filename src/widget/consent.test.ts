import { expect, it } from 'vitest'
import { createConsent, hasAgreed } from './consent'

function storage() {
  const values = new Map<string, string>()
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  }
}

it('leaves nothing in the browser before its visitor agrees, and then all that was kept', () => {
  const browser = storage()
  const { kept, agree } = createConsent(browser)
  kept.setItem('ticket', 'a')
  kept.setItem('draft', 'b')
  kept.removeItem('draft')
  expect([kept.getItem('ticket'), kept.getItem('draft')]).toEqual(['a', null])
  expect(browser.values.size).toBe(0)
  expect(hasAgreed(browser)).toBe(false)
  agree()
  kept.setItem('ticket', 'c')
  expect(browser.getItem('ticket')).toBe('c')
  expect(browser.getItem('draft')).toBeNull()
  expect(hasAgreed(browser)).toBe(true)
})
