import type { EditStore, KeptStay } from './editStore'
import type { UnsentEdit } from './trackSaved'

/** How it stands with the unsent edits on this device: `refused` by the device, they live in the tab alone. */
export type Keeping = 'all' | 'soon' | 'refused'

export interface EditKeeper {
  /** to be called after each change of what is unsent, and when the connection comes or goes */
  look(): void
  /** does not wait: the tab may be about to close */
  hurry(): void
  /** what another stay left is in this document now, and goes when all is stored */
  adopt(ids: readonly string[]): void
  keeping(): Keeping
  /** the flow has changed by others: what is kept of it as a whole is of yesterday */
  outdate(): void
  stop(): void
}

/** While the connection is there, an edit is stored sooner than this, and never written on the device. */
const LATE_MS = 1_000

/**
 * Keeps on this device what the server does not have, and nothing else: edits made offline at once, others when the server is late. One
 * write is under way at a time, and what comes meanwhile goes together in the next. All is dropped when the server has everything.
 */
export function keepEdits(options: {
  store: EditStore
  stay: Pick<KeptStay, 'id' | 'room' | 'place'>
  unsent: () => readonly UnsentEdit[]
  isOnline: () => boolean
  /** the whole flow as it stands, unsent edits included */
  state: () => Uint8Array
  onChange: () => void
  whenIdle: (run: () => void) => void
}): EditKeeper {
  const { store, stay, unsent, isOnline, onChange, whenIdle } = options
  const written = new WeakSet<UnsentEdit>()
  /** what is in the store of this flow's and goes together */
  const stays = new Set<string>()
  let working = false
  let refused = false
  let stopped = false
  let stateIsOld = true
  let stateIsDue = false
  let timer: ReturnType<typeof setTimeout> | undefined

  /** One step at a time, until there is nothing to do; a refusal ends it until something changes. */
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
      // before it is written: what is half there has to go as well
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

  /** The edits come first; the whole flow, which takes longer to write, when there is nothing else to do. */
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
