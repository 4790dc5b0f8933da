import type { KeptValues } from './protocol'

/** What the page's browser keeps of one chatbot: nothing before the visitor agreed, where that is waited for. */
export interface PageStore {
  /** lasts */
  get(key: string): string | null
  set(key: string, value: string | null): void
  /** the visitor has a conversation with this chatbot, or none any more */
  setTalked(talked: boolean): void
  /** whether the visitor has had one here, with any chatbot: the frame has kept who it is */
  isKnown(): boolean
  /** of this tab alone */
  tab(key: string): string | null
  setTab(key: string, value: string | null): void
  /** what the frame has here, where it has no storage of its own */
  ofFrame(): KeptValues
}

const FRAME = 'frame:'
const KNOWN = 'parley:known'

/** @param may whether something may be stored now */
export function createPageStore(chatbot: string, may: () => boolean): PageStore {
  const prefix = `parley:${chatbot}:`
  const read = (open: () => Storage, key: string) => {
    try {
      return open().getItem(key)
    } catch {
      return null
    }
  }
  const write = (open: () => Storage, key: string, value: string | null) => {
    try {
      if (value === null) open().removeItem(key)
      else if (may()) open().setItem(key, value)
    } catch {
      // it lasts as long as the page
    }
  }
  const lasting = () => localStorage
  const ofTab = () => sessionStorage
  return {
    get: (key) => read(lasting, prefix + key),
    set: (key, value) => write(lasting, prefix + key, value),
    setTalked(talked) {
      for (const key of [`${prefix}talked`, KNOWN]) write(lasting, key, talked ? '1' : null)
    },
    isKnown: () => read(lasting, KNOWN) !== null,
    tab: (key) => read(ofTab, prefix + key),
    setTab: (key, value) => write(ofTab, prefix + key, value),
    ofFrame() {
      const kept: Record<string, string> = {}
      try {
        for (let n = 0; n < localStorage.length; n++) {
          const key = localStorage.key(n) ?? ''
          if (key.slice(0, prefix.length + FRAME.length) === prefix + FRAME)
            kept[key.slice(prefix.length + FRAME.length)] = localStorage.getItem(key) ?? ''
        }
      } catch {
        // none
      }
      return kept
    },
  }
}
