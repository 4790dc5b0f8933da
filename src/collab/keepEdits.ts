import type { EditStore, KeptStay } from './editStore'
import type { UnsentEdit } from './trackSaved'

/** How unsent edits are stored on this device; `refused`: only in the tab's memory. */
export type Keeping = 'all' | 'soon' | 'refused'

export interface EditKeeper {
  /** call it after each change of the unsent edits or the connection */
  look(): void
  /** writes without delay: the tab may be about to close */
  hurry(): void
  /** edits of other sessions are now in this document; their stored copies are deleted when everything is sent */
  adopt(ids: readonly string[]): void
  keeping(): Keeping
  /** others have changed the flow: the stored whole flow is outdated */
  outdate(): void
  stop(): void
}

/** While connected, edits are usually confirmed sooner than this, and never stored on the device. */
const LATE_MS = 1_000

/**
 * Stores on this device only what the server lacks: offline edits at once, others when the server is late. One write
 * runs at a time; changes meanwhile go into the next. Everything is deleted when the server has all edits.
 */
export function keepEdits(options: {
  store: EditStore
  stay: Pick<KeptStay, 'id' | 'room' | 'place'>
  unsent: () => readonly UnsentEdit[]
  isOnline: () => boolean
  /** the whole present flow, including unsent edits */
  state: () => Uint8Array
  onChange: () => void
  whenIdle: (run: () => void) => void
}): EditKeeper {
  const { store, stay, unsent, isOnline, onChange, whenIdle } = options
  const written = new WeakSet<UnsentEdit>()
  /** sessions in the store that belong to this flow, and are deleted together */
  const stays = new Set<string>()
  let working = false
  let refused = false
  let stopped = false
  let stateIsOld = true
  let stateIsDue = false
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Works step by step until there is nothing left; after a refusal it waits for the next change. */
  async function work() {
    if (working || stopped) return
    working = true
    try {
      while (await step()) onChange()
      refused = false
    } catch {
      refused = true
    } finally {
      working = false
      onChange()
    }
  }

  async function step(): Promise<boolean> {
    const edits = unsent()
    if (edits.length === 0) {
      if (stays.size === 0) return false
      const ids = [...stays]
      await store.drop(ids)
      for (const id of ids) stays.delete(id)
      stateIsOld = true
      return true
    }
    const fresh = edits.slice(edits.findLastIndex((edit) => written.has(edit)) + 1)
    const [first, last] = [edits[0], edits.at(-1)]
    if (fresh.length > 0 && first && last) {
      // registered before writing: a partial write must be deleted, too
      stays.add(stay.id)
      const edits = last.number - first.number + 1
      await store.add(
        { ...stay, since: first.at, edits },
        fresh.map(({ update }) => update),
      )
      for (const edit of fresh) written.add(edit)
      if (stateIsOld) askForState()
      return true
    }
    if (!stateIsDue) return false
    stateIsDue = false
    stateIsOld = false
    await store.setState(stay.id, options.state())
    return true
  }

  /** Edits first; the whole flow, which takes longer, when there is nothing else to do. */
  function askForState() {
    stateIsOld = false
    whenIdle(() => {
      stateIsDue = true
      void work()
    })
  }

  function look() {
    clearTimeout(timer)
    if (stopped) return
    const [first] = unsent()
    if (!first) return void (stays.size > 0 && work())
    const wait = isOnline() ? first.at + LATE_MS - Date.now() : 0
    if (wait <= 0) void work()
    else timer = setTimeout(look, wait)
  }

  return {
    look,
    hurry: () => void work(),
    adopt(ids) {
      for (const id of ids) stays.add(id)
      look()
    },
    keeping: () => {
      const last = unsent().at(-1)
      if (!last || written.has(last)) return 'all'
      return refused ? 'refused' : 'soon'
    },
    outdate() {
      stateIsOld = true
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
