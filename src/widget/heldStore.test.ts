import { expect, it } from 'vitest'
import { allowedBefore, createHeldStore, keepAllowed } from './heldStore'

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
  const store = createHeldStore(browser, false)
  store.setItem('ticket', 'a')
  store.setItem('draft', 'b')
  store.removeItem('draft')
  expect([store.getItem('ticket'), store.getItem('draft')]).toEqual(['a', null])
  expect(browser.values.size).toBe(0)
  store.consent(true)
  expect([...browser.values]).toEqual([['ticket', 'a']])
  store.setItem('ticket', 'c')
  expect(browser.getItem('ticket')).toBe('c')
})

it('reads nothing that lies in the browser before its visitor agrees', () => {
  const browser = storage()
  browser.setItem('ticket', 'of before')
  const store = createHeldStore(browser, false)
  expect(store.getItem('ticket')).toBeNull()
  store.consent(true)
  expect(store.getItem('ticket')).toBe('of before')
})

it('sees what another tab has stored since', () => {
  const browser = storage()
  const store = createHeldStore(browser, false)
  store.setItem('ticket', 'a')
  store.consent(true)
  browser.setItem('ticket', 'of another tab')
  expect(store.getItem('ticket')).toBe('of another tab')
})

it('takes out of the browser what it stored once that is no longer agreed to, and goes on with it in the page', () => {
  const browser = storage()
  browser.setItem('of somebody else', 'x')
  const store = createHeldStore(browser, true)
  store.setItem('ticket', 'a')
  store.consent(false)
  expect([...browser.values]).toEqual([['of somebody else', 'x']])
  expect(store.getItem('ticket')).toBe('a')
  store.setItem('draft', 'b')
  expect(browser.getItem('draft')).toBeNull()
})

it('knows on the next visit that the visitor agreed, and whether the visit may be counted', () => {
  const browser = storage()
  expect(allowedBefore(browser)).toEqual({ agreed: false, counted: true })
  keepAllowed(browser, true, true)
  expect(allowedBefore(browser)).toEqual({ agreed: true, counted: true })
  keepAllowed(browser, true, false)
  expect(allowedBefore(browser)).toEqual({ agreed: true, counted: false })
  // who allows nothing leaves nothing
  keepAllowed(browser, false, false)
  expect(browser.values.size).toBe(0)
})
