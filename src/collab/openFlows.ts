import type { OpenFlow } from './flowState'

/** How long an unused flow stays open: React may unmount a screen for a moment while texts load. */
const LINGER_MS = 3_000

interface Entry {
  flow: OpenFlow
  holders: number
  /** the account is logging out: don't show it again */
  ending: boolean
  /** cancels the wait before closing */
  stopWaiting: () => void
}

/**
 * The open flows of this tab, independent of screens: a flow with unsent edits stays open until they are sent, or
 * stored on this device.
 */
export function createOpenFlows(lingerMs = LINGER_MS) {
  const entries = new Map<string, Entry>()

  function close(key: string, entry: Entry) {
    entry.stopWaiting()
    if (entries.get(key) === entry) entries.delete(key)
    entry.flow.close()
  }

  /** No screen shows it any more. */
  function letBe(key: string, entry: Entry) {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      clearTimeout(timer)
      timer = mayClose(entry.flow) ? setTimeout(() => close(key, entry), lingerMs) : undefined
    }
    const stops = [entry.flow.store.subscribe(look), entry.flow.offline.store.subscribe(look)]
    entry.stopWaiting = () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
    look()
  }

  return {
    /** Returns the open flow of a key, or opens it with `open`. Give it back when it is no longer shown. */
    take(key: string, open: () => OpenFlow): { flow: OpenFlow; giveBack: () => void } {
      const present = entries.get(key)
      // a refused flow is opened again: the reason may be gone
      if (present?.holders === 0 && present.flow.store.getState().refusal) close(key, present)
      const entry = entries.get(key) ?? { flow: open(), holders: 0, ending: false, stopWaiting: () => undefined }
      entries.set(key, entry)
      entry.stopWaiting()
      entry.holders += 1
      let given = false
      return {
        flow: entry.flow,
        giveBack() {
          if (given) return
          given = true
          entry.holders -= 1
          if (entry.holders > 0) return
          if (entry.ending) close(key, entry)
          else letBe(key, entry)
        },
      }
    },
    /** Closes all, those on the screen when they are given back; unsent edits stay stored. */
    closeAll() {
      for (const [key, entry] of entries) {
        entry.flow.offline.hurry()
        entry.ending = true
        entries.delete(key)
        if (entry.holders === 0) close(key, entry)
      }
    },
    hasUnsent: () => [...entries.values()].some(({ flow }) => flow.offline.store.getState().unsent !== null),
    /** number of edits that are only in this tab's memory */
    inTabAlone: () =>
      [...entries.values()].reduce((sum, { flow }) => {
        const { unsent, keeping } = flow.offline.store.getState()
        return sum + (keeping === 'refused' ? (unsent?.edits ?? 0) : 0)
      }, 0),
  }
}

function mayClose({ store, offline }: OpenFlow): boolean {
  const { unsent, keeping } = offline.store.getState()
  return unsent === null || (store.getState().refusal !== null && keeping === 'all')
}

export const openFlows = createOpenFlows()
