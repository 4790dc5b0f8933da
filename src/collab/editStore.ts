/** An editing session (stay) in a flow, from opening to closing it, with edits that did not all reach the server. */
export interface KeptStay {
  id: string
  /** the flow's room */
  room: string
  /** the flow's project, chatbot and name, for display and links */
  place: { pgid: string; cgid: string; name: string }
  /** time of the first edit */
  since: number
  /** number of edits as people count them */
  edits: number
}

/** Stores edits on this device until the server has them. Every call rejects if the device refuses. */
export interface EditStore {
  /** Adds updates to a session; resolves when they would survive a crash of the tab. */
  add(stay: KeptStay, updates: readonly Uint8Array[]): Promise<void>
  /** Stores the whole flow of a session, in case the server loses it. Does nothing after the session was dropped. */
  setState(id: string, state: Uint8Array): Promise<void>
  stays(): Promise<KeptStay[]>
  updates(id: string): Promise<Uint8Array[]>
  state(id: string): Promise<Uint8Array | null>
  drop(ids: readonly string[]): Promise<void>
}

const STAYS = 'stays'
const UPDATES = 'updates'
const STATES = 'states'

/**
 * An account's store in this browser's IndexedDB. Each account has its own database.
 * @param user the account's public id
 */
function openEditStore(user: string): EditStore {
  let opening: Promise<IDBDatabase> | null = null
  // async, so that a browser that forbids access to IndexedDB rejects, too
  const database = async () => {
    opening ??= open(`parley-edits-${user}`, () => {
      opening = null
    })
    return await opening
  }
  /** Runs one transaction; resolves with the result of `run` when it is complete. */
  async function transact<Result>(
    mode: IDBTransactionMode,
    run: (stores: Record<'stays' | 'updates' | 'states', IDBObjectStore>) => IDBRequest<Result> | undefined,
  ): Promise<Result | undefined> {
    const transaction = (await database()).transaction([STAYS, UPDATES, STATES], mode)
    return new Promise((resolve, reject) => {
      const request = run({
        stays: transaction.objectStore(STAYS),
        updates: transaction.objectStore(UPDATES),
        states: transaction.objectStore(STATES),
      })
      transaction.oncomplete = () => resolve(request?.result)
      transaction.onabort = () => reject(transaction.error ?? new Error('The device did not keep it.'))
    })
  }

  return {
    async add(stay, updates) {
      await transact('readwrite', (stores) => {
        stores.stays.put(stay)
        for (const update of updates) stores.updates.add({ stay: stay.id, update })
        return undefined
      })
    },
    async setState(id, state) {
      await transact('readwrite', (stores) => {
        const stay = stores.stays.getKey(id)
        stay.onsuccess = () => {
          if (stay.result !== undefined) stores.states.put(state, id)
        }
        return undefined
      })
    },
    stays: async () => (await transact('readonly', ({ stays }) => stays.getAll() as IDBRequest<KeptStay[]>)) ?? [],
    async updates(id) {
      const rows = await transact(
        'readonly',
        ({ updates }) => updates.index('stay').getAll(id) as IDBRequest<{ update: Uint8Array }[]>,
      )
      return (rows ?? []).map(({ update }) => update)
    },
    state: async (id) => (await transact('readonly', ({ states }) => states.get(id) as IDBRequest<Uint8Array>)) ?? null,
    async drop(ids) {
      await transact('readwrite', (stores) => {
        for (const id of ids) {
          stores.stays.delete(id)
          stores.states.delete(id)
          const rows = stores.updates.index('stay').openKeyCursor(id)
          rows.onsuccess = () => {
            if (!rows.result) return
            stores.updates.delete(rows.result.primaryKey)
            rows.result.continue()
          }
        }
        return undefined
      })
    },
  }
}

const stores = new Map<string, EditStore>()

/** An account's store: one connection per tab. */
export function editStoreOf(user: string): EditStore {
  const present = stores.get(user) ?? openEditStore(user)
  stores.set(user, present)
  return present
}

function open(name: string, onClosed: () => void): Promise<IDBDatabase> {
  const opened = new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore(STAYS, { keyPath: 'id' })
      request.result.createObjectStore(STATES)
      request.result.createObjectStore(UPDATES, { autoIncrement: true }).createIndex('stay', 'stay')
    }
    request.onsuccess = () => {
      const database = request.result
      // the site's data is being cleared: the next call opens it again
      database.onversionchange = () => {
        database.close()
        onClosed()
      }
      database.onclose = onClosed
      resolve(database)
    }
    request.onerror = () => reject(request.error)
  })
  opened.catch(onClosed)
  return opened
}
