import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { EditStore, KeptStay } from './editStore'
import { keepEdits } from './keepEdits'
import type { UnsentEdit } from './trackSaved'

/** A simulated device: its storage, whether it refuses, and writes that can be delayed. */
function device() {
  const kept = new Map<string, { stay: KeptStay; updates: number[]; state: number | null }>()
  const control = { refuses: false, writes: 0 }
  const may = async () => {
    control.writes += 1
    await Promise.resolve()
    if (control.refuses) throw new DOMException('full', 'QuotaExceededError')
  }
  const store: EditStore = {
    async add(stay, updates) {
      await may()
      const before = kept.get(stay.id)
      const bytes = updates.map(([byte = 0]) => byte)
      kept.set(stay.id, { stay, updates: [...(before?.updates ?? []), ...bytes], state: before?.state ?? null })
    },
    async setState(id, [byte = 0]) {
      await may()
      const before = kept.get(id)
      if (before) before.state = byte
    },
    stays: async () => [...kept.values()].map(({ stay }) => stay),
    updates: async () => [],
    state: async () => null,
    async drop(ids) {
      await may()
      for (const id of ids) kept.delete(id)
    },
  }
  return { kept, control, store }
}

function flow() {
  const { kept, control, store } = device()
  const present = { online: true, unsent: [] as UnsentEdit[], version: 0 }
  const idle: (() => void)[] = []
  const keeper = keepEdits({
    store,
    stay: { id: 'mine', room: 'r', place: { pgid: 'p', cgid: 'c', name: 'Bot' } },
    unsent: () => present.unsent,
    isOnline: () => present.online,
    state: () => new Uint8Array([present.version]),
    onChange: () => undefined,
    whenIdle: (run) => idle.push(run),
  })
  return {
    kept,
    control,
    keeper,
    present,
    rest: () => {
      for (const run of idle.splice(0)) run()
    },
    edit(byte: number) {
      present.version = byte
      present.unsent.push({ update: new Uint8Array([byte]), at: Date.now(), number: present.unsent.length + 1 })
      keeper.look()
    },
    stored() {
      present.unsent = []
      keeper.look()
    },
    settled: () => vi.advanceTimersByTimeAsync(0),
  }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('an edit that the server stores in time is never written on the device', async () => {
  const { edit, stored, control } = flow()
  edit(1)
  await vi.advanceTimersByTimeAsync(900)
  stored()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(control.writes).toBe(0)
})

test('one that the server is late with is, and all goes once it has everything', async () => {
  const { edit, stored, settled, kept, keeper } = flow()
  edit(1)
  await vi.advanceTimersByTimeAsync(1_100)
  expect(kept.get('mine')).toMatchObject({ updates: [1], stay: { edits: 1 } })
  expect(keeper.keeping()).toBe('all')
  stored()
  await settled()
  expect(kept.size).toBe(0)
})

test('offline each edit is written at once and once, with the flow as a whole when there is time', async () => {
  const { edit, settled, rest, kept, present } = flow()
  present.online = false
  edit(1)
  edit(2)
  await settled()
  edit(3)
  await settled()
  expect(kept.get('mine')).toMatchObject({ updates: [1, 2, 3], state: null, stay: { edits: 3 } })
  rest()
  await settled()
  expect(kept.get('mine')).toMatchObject({ state: 3 })
})

test('the flow as a whole is written anew after others have changed it', async () => {
  const { edit, settled, rest, kept, present, keeper } = flow()
  present.online = false
  edit(1)
  await settled()
  rest()
  await settled()
  edit(2)
  await settled()
  rest()
  await settled()
  expect(kept.get('mine')?.state).toBe(1)
  keeper.outdate()
  edit(3)
  await settled()
  rest()
  await settled()
  expect(kept.get('mine')?.state).toBe(3)
})

test('what the device refuses is said to be in the tab alone, and is written when it takes it again', async () => {
  const { edit, settled, kept, control, present, keeper } = flow()
  present.online = false
  control.refuses = true
  edit(1)
  await settled()
  expect(keeper.keeping()).toBe('refused')
  control.refuses = false
  edit(2)
  await settled()
  expect(kept.get('mine')?.updates).toEqual([1, 2])
  expect(keeper.keeping()).toBe('all')
})

test('what another stay left goes when all of this one is stored, not before', async () => {
  const { edit, stored, settled, kept, present, keeper } = flow()
  const stay: KeptStay = { id: 'theirs', room: 'r', place: { pgid: 'p', cgid: 'c', name: 'Bot' }, since: 0, edits: 1 }
  kept.set('theirs', { stay, updates: [9], state: null })
  present.online = false
  edit(9)
  keeper.adopt(['theirs'])
  await settled()
  expect([...kept.keys()]).toEqual(['theirs', 'mine'])
  stored()
  await settled()
  expect(kept.size).toBe(0)
})

test('an edit made while all is being dropped is kept', async () => {
  const { edit, stored, settled, kept, present } = flow()
  present.online = false
  edit(1)
  await settled()
  stored()
  edit(2)
  await settled()
  expect(kept.get('mine')?.updates).toEqual([2])
})
