import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createRenewal } from './renewal'

/** What the page is asked: its fields, and whether it is looked at again. */
class Page extends EventTarget {
  fields: { type: string; value: string; checked?: boolean }[] = []
  querySelectorAll = () => this.fields
}

let page: Page
beforeEach(() => {
  page = new Page()
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('renews within a minute after each publication, and not before it', () => {
  const renew = vi.fn()
  const renewal = createRenewal({ renew })
  renewal.look()
  vi.advanceTimersByTime(120_000)
  expect(renew).toHaveBeenCalledTimes(0)
  for (const times of [1, 2]) {
    renewal.published()
    renewal.published()
    vi.advanceTimersByTime(60_000)
    expect(renew).toHaveBeenCalledTimes(times)
  }
})

it('renews at the next look where somebody looks before that', () => {
  const renew = vi.fn()
  const renewal = createRenewal({ renew })
  renewal.published()
  renewal.look()
  expect(renew).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(60_000)
  expect(renew).toHaveBeenCalledTimes(1)
})

it('takes nothing away that is being typed or chosen, and renews at a later look', () => {
  const renew = vi.fn()
  const renewal = createRenewal({ renew })
  for (const field of [
    { type: 'textarea', value: 'I have a' },
    { type: 'checkbox', value: 'on', checked: true },
  ]) {
    page.fields = [field]
    renewal.published()
    vi.advanceTimersByTime(60_000)
  }
  expect(renew).toHaveBeenCalledTimes(0)
  page.fields = [{ type: 'checkbox', value: 'on', checked: false }]
  page.dispatchEvent(new Event('visibilitychange'))
  expect(renew).toHaveBeenCalledTimes(1)
})
