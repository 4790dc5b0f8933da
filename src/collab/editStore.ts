/** A stay in a flow, from opening it to closing it, whose edits did not all reach the server. */
export interface KeptStay {
  id: string
  /** the flow's room */
  room: string
  /** where it belongs, for saying so and for leading there */
  place: { pgid: string; cgid: string; name: string }
  /** when the first of the edits was made */
  since: number
  /** how many edits, as people count them */
  edits: number
}

/** Where edits are kept on this device until the server has them. Every call rejects when the device refuses. */
export interface EditStore {
  /** Adds updates to a stay; resolves once they would outlast a crash of the tab. */
  add(stay: KeptStay, updates: readonly Uint8Array[]): Promise<void>
  /** Sets the whole flow as it stood in a stay, for when the server no longer has it. Does nothing once the stay is dropped. */
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
 * The store of one account in this browser's IndexedDB: another account's is another database, which is never opened for this one.
 * @param user the account's public id
 */
function openEditStore(user: string): EditStore {
  let opening: Promise<IDBDatabase> | null = null
  // async, so that a browser that forbids even the look at it rejects like any other refusal
  const database = async () => {
    opening ??= open(`parley-edits-${user}`, () => {
      opening = null
    })
    return await opening
  }
  /** Runs in one transaction; resolves with what `run` asked for once the transaction is complete. */
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

/** The store of an account: one connection a tab. */
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
      // somebody clears this site's data, or the browser does: the next call opens it anew
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
