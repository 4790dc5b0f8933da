import type { Kept } from './httpTransport'

const AGREED = 'parley:consent'

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

/** Whether the visitor of a page agreed on an earlier visit, which is kept itself; that they did not is not kept. */
export const hasAgreed = (browser: Kept): boolean => browser.getItem(AGREED) === 'yes'

export const keepAgreed = (browser: Kept, agreed: boolean): void =>
  agreed ? browser.setItem(AGREED, 'yes') : browser.removeItem(AGREED)
