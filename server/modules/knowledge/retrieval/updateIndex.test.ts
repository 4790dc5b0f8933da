import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertChatbot, insertSources, type Place } from '../../../../tests/support/knowledgeBase'
import { startTestServer, type TestServer } from '../../../../tests/support/server'
import { averagesOf } from './impacts'
import { createIndexes } from './indexes'
import { buildIndex, type LexicalIndex, type Record } from './lexicalIndex'
import { askedOf } from './question'
import { tokensOf } from './tokens'
import { updateIndex } from './updateIndex'

const recordOf = (id: number, text: string, stamp = 1): Record => ({
  id,
  stamp,
  tokens: tokensOf({ heading: '', body: text, isFaq: false, language: 'en' }),
})
const averagesFor = (records: readonly Record[]) => averagesOf(records.map(({ tokens }) => tokens))
const found = (index: LexicalIndex, question: string) => index.search(askedOf(question), 8).hits.map(({ id }) => id)
const THINGS = ['lamp', 'tent', 'boat', 'chair', 'bread', 'clock', 'horse', 'river', 'stone', 'violin']
const textOf = (at: number) => `The ${THINGS[at % THINGS.length]} number ${at} stands in room ${at % 7}.`

/** An index, what its chunks are, and how to change them. */
async function start(count: number) {
  const chunks = new Map(Array.from({ length: count }, (_, at) => [at + 1, recordOf(at + 1, textOf(at))]))
  const measured = { averages: averagesFor([...chunks.values()]), builtSize: count }
  const read: number[][] = []
  let index = await buildIndex(chunks.values(), measured.averages)
  return {
    chunks,
    read,
    get index() {
      return index
    },
    async update() {
      const rows = [...chunks.values()].sort((a, b) => a.id - b.id)
      const present = {
        ids: Float64Array.from(rows, ({ id }) => id),
        stamps: Uint32Array.from(rows, ({ stamp }) => stamp ?? 0),
      }
      const next = await updateIndex(index, present, measured, async function* (ids) {
        read.push([...ids])
        for (const id of ids) yield chunks.get(id) as Record
      })
      if (next) index = next
      return next
    },
  }
}

test('an update reads only what is new, and forgets what is gone', async () => {
  const base = await start(100)
  const before = base.index
  base.chunks.delete(1)
  base.chunks.set(201, recordOf(201, 'A yellow submarine lies in the harbour.'))
  base.chunks.set(2, recordOf(2, 'An orange balloon flies over the town.', 2))
  const index = await base.update()
  expect(base.read).toEqual([[2, 201]])
  expect(index?.size).toBe(100)
  expect(found(base.index, 'yellow submarine')).toEqual([201])
  expect(found(base.index, 'orange balloon')[0]).toBe(2)
  expect(found(base.index, 'lamp number 0')).not.toContain(1)
  // questions that are under way still have theirs
  expect(found(before, 'lamp number 0')[0]).toBe(1)
})

test('nothing changed: nothing is read', async () => {
  const base = await start(50)
  expect((await base.update())?.size).toBe(50)
  expect(base.read).toEqual([])
})

test('after many updates it answers as if it were built at once, from few segments', async () => {
  const base = await start(400)
  let next = 1_000
  for (let round = 0; round < 30; round++) {
    const gone = [...base.chunks.keys()][(round * 37) % base.chunks.size] as number
    base.chunks.delete(gone)
    base.chunks.set(next, recordOf(next, textOf(next)))
    next++
    expect(await base.update()).not.toBeNull()
  }
  expect(base.index.parts.length).toBeLessThanOrEqual(9)
  const rows = [...base.chunks.values()].sort((a, b) => a.id - b.id)
  const anew = await buildIndex(rows, averagesFor(rows))
  for (const id of [1_000, 1_015, 1_029, 350]) {
    const question = textOf(id < 1_000 ? id - 1 : id)
    expect(found(base.index, question)[0]).toBe(found(anew, question)[0])
  }
  expect(base.index.size).toBe(anew.size)
})

test('what changed too much is built anew', async () => {
  const base = await start(40)
  for (let at = 0; at < 9; at++) base.chunks.set(100 + at, recordOf(100 + at, textOf(at)))
  expect(await base.update()).toBeNull()
  const other = await start(40)
  for (const id of [...other.chunks.keys()].slice(0, 25)) other.chunks.set(id, recordOf(id, textOf(id), 2))
  expect(await other.update()).toBeNull()
})

let server: TestServer
let place: Place
beforeAll(async () => {
  server = await startTestServer()
  place = await insertChatbot(server.context.db)
})
afterAll(() => server.close())

test('a chatbot whose pages change is asked about what they say now', async () => {
  const { db } = server.context
  const own = db.forProject(place.projectId)
  await insertSources(db, place, [{ texts: Array.from({ length: 30 }, (_, at) => textOf(at)) }])
  const indexes = createIndexes(db)
  const first = await indexes.get({ ...place, version: '1' }, null)
  await insertSources(db, place, [{ texts: ['A yellow submarine lies in the harbour.'] }])
  const gone = found(first.lexical, textOf(3))[0] as number
  await own.deleteFrom('knowledge_chunks').where('id', '=', String(gone)).execute()
  const changed = found(first.lexical, textOf(5))[0] as number
  await own
    .updateTable('knowledge_chunks')
    .set({ tokens: recordOf(changed, 'An orange balloon flies over the town.').tokens })
    .where('id', '=', String(changed))
    .execute()
  const { lexical } = await indexes.get({ ...place, version: '2' }, null, true)
  expect(found(lexical, 'yellow submarine')).toHaveLength(1)
  expect(found(lexical, 'orange balloon')).toEqual([changed])
  expect(found(lexical, textOf(3))).not.toContain(gone)
  expect(lexical.size).toBe(30)
  // what did not change was not built anew
  expect(lexical.parts.map(({ segment }) => segment.size)).toEqual([30, 2])
})
