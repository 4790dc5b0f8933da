import type { Kept } from './httpTransport'

const AGREED = 'parley:consent'
/** What stands there for a visitor who does not want to be counted. */
const UNCOUNTED = 'yes, uncounted'

/**
 * A storage that the browser does not keep before the visitor consents: until then its content is lost with the page.
 */
export interface HeldStore extends Kept {
  /**
   * @param given true: present and later content is stored; false: stored content is deleted and kept in memory only
   */
  consent(given: boolean): void
}

/**
 * @param lasting where it is stored once that is allowed; it is not read before
 * @param agreed whether it is allowed already
 */
export function createHeldStore(lasting: Kept, agreed: boolean): HeldStore {
  const held = new Map<string, string>()
  const used = new Set<string>()
  return {
    getItem(key) {
      used.add(key)
      return agreed ? lasting.getItem(key) : (held.get(key) ?? null)
    },
    setItem(key, value) {
      used.add(key)
      if (agreed) lasting.setItem(key, value)
      else held.set(key, value)
    },
    removeItem(key) {
      if (agreed) lasting.removeItem(key)
      else held.delete(key)
    },
    consent(given) {
      if (given === agreed) return
      agreed = given
      if (given) {
        for (const [key, value] of held) lasting.setItem(key, value)
        held.clear()
        return
      }
      for (const key of used) {
        const value = lasting.getItem(key)
        if (value !== null) held.set(key, value)
        lasting.removeItem(key)
      }
    },
  }
}

/**
 * What the visitor of a page allowed on an earlier visit, which is kept itself: to keep the conversation, and to count
 * the visit in statistics, which holds unless they said no. That they allowed nothing is not kept.
 */
export function allowedBefore(browser: Kept): { agreed: boolean; counted: boolean } {
  const kept = browser.getItem(AGREED)
  return { agreed: kept === 'yes' || kept === UNCOUNTED, counted: kept !== UNCOUNTED }
}

export const keepAllowed = (browser: Kept, agreed: boolean, counted: boolean): void =>
  agreed ? browser.setItem(AGREED, counted ? 'yes' : UNCOUNTED) : browser.removeItem(AGREED)
