import type { Kept } from './httpTransport'

const AGREED = 'parley:consent'

/** What a page keeps while nobody has agreed to more: it goes with the page. */
export interface Consent {
  /** where to keep something: the browser's storage once that was agreed to */
  kept: Kept
  /** keeps in the browser what was kept so far, and from now on */
  agree(): void
}

/** Whether a visitor agreed on an earlier visit, which is kept itself. */
export function hasAgreed(browser: Kept): boolean {
  return browser.getItem(AGREED) === 'yes'
}

/** Makes a storage that a browser knows nothing of until its visitor agrees. */
export function createConsent(browser: Kept): Consent {
  const values = new Map<string, string>()
  let target: Kept | null = null
  return {
    kept: {
      getItem: (key) => (target ? target.getItem(key) : (values.get(key) ?? null)),
      setItem: (key, value) => (target ? target.setItem(key, value) : void values.set(key, value)),
      removeItem: (key) => (target ? target.removeItem(key) : void values.delete(key)),
    },
    agree() {
      target = browser
      for (const [key, value] of values) browser.setItem(key, value)
      // only the lasting storage says so: a visit's own ends with the visit
      browser.setItem(AGREED, 'yes')
    },
  }
}
