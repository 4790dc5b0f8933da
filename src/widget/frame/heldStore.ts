export type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** What is kept, until the visitor agrees in this page alone. */
export interface HeldStore extends Kept {
  /** @param given true: what was held, and all that follows, is stored; false: what was stored is gone */
  consent(given: boolean): void
}

/** @param lasting where it is stored; it is read only when that is allowed */
export function createHeldStore(lasting: Kept, agreed: boolean): HeldStore {
  const held = new Map<string, string>()
  const known = new Set<string>()
  return {
    getItem(key) {
      known.add(key)
      return held.get(key) ?? (agreed ? lasting.getItem(key) : null)
    },
    setItem(key, value) {
      known.add(key)
      held.set(key, value)
      if (agreed) lasting.setItem(key, value)
    },
    removeItem(key) {
      held.delete(key)
      if (agreed) lasting.removeItem(key)
    },
    consent(given) {
      agreed = given
      if (given) for (const [key, value] of held) lasting.setItem(key, value)
      else for (const key of known) lasting.removeItem(key)
    },
  }
}
