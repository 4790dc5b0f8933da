import type { KeptValues } from './protocol'

/** What the page's browser keeps of one chatbot: nothing before the visitor agreed, where that is waited for. */
export interface PageStore {
  /** lasts */
  get(key: string): string | null
  set(key: string, value: string | null): void
  /** of this tab alone */
  tab(key: string): string | null
  setTab(key: string, value: string | null): void
  /** what the frame has here, where it has no storage of its own */
  ofFrame(): KeptValues
}

const FRAME = 'frame:'

/** @param may whether something may be stored now */
export function createPageStore(chatbot: string, may: () => boolean): PageStore {
  const prefix = `parley:${chatbot}:`
  const read = (open: () => Storage, key: string) => {
    try {
      return open().getItem(prefix + key)
    } catch {
      return null
    }
  }
  const write = (open: () => Storage, key: string, value: string | null) => {
    try {
      if (value === null) open().removeItem(prefix + key)
      else if (may()) open().setItem(prefix + key, value)
    } catch {
      // it lasts as long as the page
    }
  }
  const lasting = () => localStorage
  const ofTab = () => sessionStorage
  return {
    get: (key) => read(lasting, key),
    set: (key, value) => write(lasting, key, value),
    tab: (key) => read(ofTab, key),
    setTab: (key, value) => write(ofTab, key, value),
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
