import { expect, test } from 'vitest'
import { listed, nothingShared, readPeer } from './peerState'
import { people } from './testSupport'

const { ada, vera } = people

test('what a client of ours says is read as it was said', () => {
  const said = {
    cursor: { x: 1.5, y: -2 },
    selection: { ids: ['g1', 'b1'], count: 90 },
    field: 'b1/content',
    view: { x: 0, y: 0, zoom: 0.5, width: 900, height: 700 },
    drag: [{ id: 'g1', x: 10, y: 20 }],
    following: 12,
    caret: { place: 'b1/content', range: { anchor: 1 } },
  }
  expect(readPeer(7, { person: ada, ...said })).toEqual({ clientId: 7, person: ada, ...said })
})

test.each([
  ['nobody', { person: undefined }],
  ['a person without a name', { person: { ...ada, name: ' ' } }],
  ['a colour that is something else', { person: { ...ada, color: 'red;background:url(//evil)' } }],
  ['a person that does not say what they may do', { person: { ...ada, viewer: 'no' } }],
])('%s is not there', (_what, state) => {
  expect(readPeer(1, state)).toBeNull()
})

test('parts that are not as they should be are not there, and the others stay', () => {
  const nonsense: Record<string, unknown>[] = [
    {
      cursor: 'here',
      selection: { ids: 'g1' },
      field: 7,
      view: { x: 0 },
      drag: {},
      following: 'me',
      caret: { place: 1 },
    },
    {
      cursor: { x: Number.NaN, y: 0 },
      selection: { ids: [] },
      field: '',
      view: { x: 0, y: 0, zoom: 0, width: 1, height: 1 },
    },
    { cursor: { x: 1e12, y: 0 }, selection: { ids: [{}, 7] }, drag: [{ id: 'g' }, { x: 1, y: 1 }, null], caret: null },
    { cursor: [1, 2], selection: null, field: 'f'.repeat(4000), view: [], drag: [{ id: 'g', x: '1', y: 2 }] },
  ]
  for (const state of nonsense)
    expect(readPeer(1, { person: ada, ...state }), JSON.stringify(state)).toEqual({
      clientId: 1,
      person: ada,
      ...nothingShared,
    })
  expect(readPeer(1, { person: ada, cursor: 'x', field: 'b/label' })?.field).toBe('b/label')
})

test('who may only read drags no groups and edits no fields, whatever their client says', () => {
  const said = {
    cursor: { x: 1, y: 1 },
    drag: [{ id: 'g', x: 0, y: 0 }],
    field: 'b/content',
    caret: { place: 'b/content' },
  }
  expect(readPeer(1, { person: vera, ...said })).toMatchObject({
    cursor: { x: 1, y: 1 },
    drag: null,
    field: null,
    caret: null,
  })
})

test('a part that says the same keeps its identity', () => {
  const before = readPeer(1, { person: ada, cursor: { x: 1, y: 1 }, selection: { ids: ['g'], count: 1 } })
  if (!before) throw new Error('Ada is not there')
  const now = readPeer(1, { person: { ...ada }, cursor: { x: 2, y: 1 }, selection: { ids: ['g'], count: 1 } }, before)
  expect(now?.selection).toBe(before.selection)
  expect(now?.person).toBe(before.person)
  expect(now?.cursor).not.toBe(before.cursor)
})

test('of many things the first are told, so that an entry stays below the server’s 4 KB', () => {
  const ids = Array.from({ length: 10_000 }, (_, n) => `group-with-a-rather-long-id-${n}`)
  const drag = ids.map((id) => ({ id, x: 123456.5, y: -123456.5 }))
  const state = {
    person: { ...ada, name: 'N'.repeat(120) },
    cursor: { x: 123456.5, y: 123456.5 },
    selection: { ids: listed(ids), count: ids.length },
    drag: listed(drag),
    field: 'f'.repeat(200),
    view: { x: 123456.5, y: 123456.5, zoom: 0.123456789, width: 1440, height: 900 },
    caret: { place: 'p'.repeat(200), range: 'r'.repeat(500) },
  }
  expect(listed(ids).length).toBeGreaterThan(20)
  expect(JSON.stringify(state).length).toBeLessThan(4096)
  expect(readPeer(1, state)?.selection?.count).toBe(10_000)
})
