import { describe, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { registry } from '../../blocks/registry'
import { seededRandom } from '../../tests/support/documents'
import { parseFlow } from '../flow/parseFlow'
import { type Block, emptyFlow, type Flow } from '../flow/schema'
import type { Json } from '../values/json'
import { plainRichText } from '../values/richText'
import { createDocument } from './createDocument'
import { readDocument, updateOf } from './plainFlow'
import { type Repair, repairDocument, watchForRepair } from './repairDocument'
import { GONE } from './shape'

const fresh = (kind: string, id: string): Block => {
  const definition = registry.get(kind)
  let n = 0
  return {
    id,
    kind,
    version: definition.migrations.length,
    data: definition.defaults(() => `${id}-${++n}`) as Block['data'],
  }
}
const flow: Flow = {
  ...emptyFlow(),
  groups: [
    {
      id: 'g',
      title: 'Welcome',
      position: { x: 0, y: 40 },
      blocks: [fresh('text', 'hello'), fresh('buttons', 'ask'), fresh('form', 'form')],
    },
    { id: 'h', title: 'After', position: { x: 500, y: 0 }, blocks: [fresh('text', 'bye')] },
  ],
  edges: [{ from: { blockId: 'hello', portId: 'next' }, to: { groupId: 'h', blockId: 'bye' } }],
  variables: [
    { id: 'v', name: 'Name', value: null },
    { id: 'w', name: 'City', value: 'Oslo' },
  ],
}
const stored = updateOf(flow, registry)
let clients = 1
const load = (...updates: Uint8Array[]): Y.Doc => {
  const doc = new Y.Doc()
  doc.clientID = ++clients
  for (const update of updates.length ? updates : [stored]) Y.applyUpdate(doc, update)
  return doc
}
const map = (doc: Y.Doc, root: string, id: string) => doc.getMap(root).get(id) as Y.Map<unknown>
const faults = (doc: Y.Doc): string[] => {
  const notes: string[] = []
  const read = readDocument(doc, registry)
  parseFlow(structuredClone(read), registry, (note) => notes.push(note))
  for (const { kind, data } of read.groups.flatMap(({ blocks }) => blocks)) {
    const issues = registry.find(kind)?.schema.safeParse(data).error?.issues ?? []
    for (const { code, path } of issues) {
      if (/^(invalid_(type|union|value)|unrecognized_keys)$/.test(code))
        notes.push(`${kind}: ${path.join('.')} ${code}`)
    }
  }
  return notes
}
/** Two replicas repair the same document independently, then merge. */
function repairTwice(damaged: Y.Doc, ties = false): { doc: Y.Doc; repairs: Repair[] } {
  const state = Y.encodeStateAsUpdate(damaged)
  const [one, two] = [load(state), load(state)]
  const repairs = repairDocument(one, registry, { ties })
  expect(repairDocument(two, registry, { ties })).toEqual(repairs)
  expect(readDocument(two, registry)).toEqual(readDocument(one, registry))
  Y.applyUpdate(one, Y.encodeStateAsUpdate(two))
  Y.applyUpdate(two, Y.encodeStateAsUpdate(one))
  expect(readDocument(two, registry)).toEqual(readDocument(one, registry))
  let updates = 0
  one.on('update', () => updates++)
  expect([repairDocument(one, registry, { ties }), repairDocument(two, registry, { ties })]).toEqual([[], []])
  expect(updates).toBe(0)
  expect(faults(one)).toEqual([])
  return { doc: one, repairs }
}
const groupOf = (doc: Y.Doc, blockId: string) =>
  readDocument(doc, registry).groups.find(({ blocks }) => blocks.some(({ id }) => id === blockId))
const dataOf = (doc: Y.Doc, blockId: string) => groupOf(doc, blockId)?.blocks.find(({ id }) => id === blockId)?.data

test('a sound document is not touched, and neither is what was deleted in it', () => {
  const doc = load()
  expect(repairDocument(doc, registry, { ties: true })).toEqual([])
  map(doc, 'groups', 'h').set(GONE, true)
  map(doc, 'blocks', 'ask').set(GONE, true)
  const state = Y.encodeStateAsUpdate(doc)
  expect(repairDocument(doc, registry, { ties: true })).toEqual([])
  expect(Y.encodeStateAsUpdate(doc)).toEqual(state)
})

const damages: [string, (doc: Y.Doc) => void, (Repair | { code: string })[], ((doc: Y.Doc) => void)?][] = [
  [
    'a block without its place goes into a group for such',
    (doc) => map(doc, 'blocks', 'bye').delete('at'),
    [{ code: 'block-placed', blockId: 'bye', groupId: 'recovered-1' }],
    (doc) => {
      expect(groupOf(doc, 'bye')).toMatchObject({ title: 'Recovered', position: { x: 980, y: 0 } })
      expect(readDocument(doc, registry).edges).toHaveLength(1)
    },
  ],
  [
    'blocks of a group that there never was go there too, in a fixed order',
    (doc) => {
      for (const id of ['hello', 'ask']) map(doc, 'blocks', id).set('at', { groupId: 'nowhere', order: 'a0' })
    },
    [
      { code: 'block-placed', blockId: 'ask', groupId: 'recovered-1' },
      { code: 'block-placed', blockId: 'hello', groupId: 'recovered-1' },
    ],
  ],
  [
    'a group for recovered blocks that was deleted is left deleted',
    (doc) => {
      createDocument({ doc, registry }).commands.addGroup({
        id: 'recovered-1',
        title: 'Recovered',
        position: { x: 0, y: 0 },
        blocks: [],
      })
      map(doc, 'groups', 'recovered-1').set(GONE, true)
      map(doc, 'blocks', 'bye').set('at', 'somewhere')
    },
    [{ code: 'block-placed', blockId: 'bye', groupId: 'recovered-2' }],
  ],
  [
    'an edge from or to what never was is taken away',
    (doc) => {
      const edges = doc.getMap('edges')
      edges.set('nobody/next', { groupId: 'g' })
      edges.set('bye/next', { groupId: 'nowhere' })
      edges.set('ask/default', { groupId: 'g', blockId: 'nobody' })
      edges.set('form/next', ['g'])
      edges.set('noport', { groupId: 'g' })
    },
    Array.from({ length: 5 }, () => ({ code: 'edge-removed' })),
    (doc) => expect(readDocument(doc, registry).edges).toHaveLength(1),
  ],
  [
    'of variables with one name the later gets a number',
    (doc) => {
      doc.getMap('variables').set('w/name', 'name')
      doc.getMap('variables').set('x', { name: 'NAME', value: 1, order: 'a8' })
    },
    [
      { code: 'variable-renamed', variableId: 'w', from: 'name', to: 'name 2' },
      { code: 'variable-renamed', variableId: 'x', from: 'NAME', to: 'NAME 3' },
    ],
  ],
  [
    'a name that no variable may have is cleaned',
    (doc) => {
      doc.getMap('variables').set('v/name', '{a-b}')
      doc.getMap('variables').set('x', { name: '!!', value: null, order: 'a8' })
      doc.getMap('variables').set('y', { name: 'x'.repeat(80), value: null, order: 'a9' })
    },
    [
      { code: 'variable-renamed', variableId: 'v', from: '{a-b}', to: 'ab' },
      { code: 'variable-renamed', variableId: 'x', from: '!!', to: 'Variable' },
      { code: 'variable-renamed', variableId: 'y', from: 'x'.repeat(80), to: 'x'.repeat(50) },
    ],
  ],
  [
    'orders that are missing or none are given anew, at the end',
    (doc) => {
      map(doc, 'groups', 'g').set('order', 7)
      map(doc, 'blocks', 'hello').set('at', { groupId: 'g' })
      doc.getMap('variables').set('v/order', '!!')
    },
    [
      { code: 'order-mended', of: 'groups' },
      { code: 'order-mended', of: 'blocks', groupId: 'g' },
      { code: 'order-mended', of: 'variables' },
    ],
    (doc) => {
      const read = readDocument(doc, registry)
      expect(read.groups.map(({ id }) => id)).toEqual(['h', 'g'])
      expect(read.groups[1]?.blocks.map(({ id }) => id)).toEqual(['ask', 'form', 'hello'])
      expect(read.variables.map(({ id }) => id)).toEqual(['w', 'v'])
    },
  ],
  [
    'a text that is missing is there, and empty',
    (doc) => {
      doc.getMap('texts').delete('hello/content')
      doc.getMap('texts').set('bye/content', 'no text')
    },
    [
      { code: 'entry-removed', of: 'texts', key: 'bye/content' },
      { code: 'text-made', blockId: 'bye', field: 'content' },
      { code: 'text-made', blockId: 'hello', field: 'content' },
    ],
    (doc) => expect(dataOf(doc, 'hello')).toEqual({ content: plainRichText('') }),
  ],
  [
    'a field that is missing begins anew, and so does one that is something else altogether',
    (doc) => {
      map(doc, 'blocks', 'ask').delete('data/options/ask-1/label')
      map(doc, 'blocks', 'ask').set('data/multiple', { loop: [1] })
      map(doc, 'blocks', 'form').delete('data/submitLabel')
      map(doc, 'blocks', 'form').set('data/fields/form-1/type', 'colour')
      map(doc, 'blocks', 'form').delete('data/fields/form-2/saveTo')
    },
    [
      { code: 'data-mended', blockId: 'ask', fields: ['multiple', 'options'] },
      { code: 'data-mended', blockId: 'form', fields: ['fields', 'submitLabel'] },
    ],
    (doc) => {
      expect(dataOf(doc, 'ask')).toMatchObject({
        multiple: false,
        options: [{ label: { type: 'static', value: '' } }, { label: { type: 'static', value: 'No' } }],
      })
      expect(dataOf(doc, 'form')).toMatchObject({
        submitLabel: { value: 'Submit' },
        fields: [{ type: 'text' }, { saveTo: null }],
      })
    },
  ],
  [
    'fields that a kind does not know go, in items too',
    (doc) => {
      map(doc, 'blocks', 'ask').set('data/colour', 'red')
      map(doc, 'blocks', 'ask').set('data/options/ask-1/colour', 'red')
    },
    [{ code: 'data-mended', blockId: 'ask', fields: ['', 'options'] }],
  ],
  [
    'what is no JSON is no value: other types, bytes, nested without end',
    (doc) => {
      const deep: Json[] = []
      let inner = deep
      for (let n = 0; n < 100; n++) {
        const next: Json[] = []
        inner.push(next)
        inner = next
      }
      map(doc, 'blocks', 'ask').set('data/multiple', new Y.Map([['self', 1]]))
      map(doc, 'blocks', 'ask').set('data/placeholder', new Uint8Array(3))
      map(doc, 'blocks', 'form').set('data/required', deep)
      map(doc, 'blocks', 'form').set('version', -1)
      map(doc, 'groups', 'g').set('title', new Y.Text('no title'))
      map(doc, 'groups', 'g').set('pos', { x: Number.NaN })
      doc.getMap('variables').set('v/value', new Y.Array())
    },
    [
      { code: 'entry-removed', of: 'variables', key: 'v/value' },
      { code: 'group-mended', groupId: 'g' },
      { code: 'data-mended', blockId: 'ask', fields: ['multiple', 'placeholder'] },
      { code: 'data-mended', blockId: 'form', fields: ['required'] },
    ],
  ],
  [
    'what stands under no id, or is not what belongs there, is taken away',
    (doc) => {
      doc.getMap('groups').set('g/1', new Y.Map())
      doc.getMap('groups').set('x', 5)
      doc.getMap('blocks').set('y', new Y.Map([['at', { groupId: 'g', order: 'a0' }]]))
      doc.getMap('blocks').set('z', new Y.Map([['kind', 'No Kind']]))
      doc.getMap('variables').set('v/colour', 'red')
      doc.getMap('variables').set('sys_user_id', { name: 'mine', value: 1, order: 'a9' })
    },
    Array.from({ length: 6 }, () => ({ code: 'entry-removed' })),
  ],
]
test.each(damages)('%s', (_name, damage, expected, check) => {
  const doc = load()
  doc.transact(() => damage(doc))
  const { doc: mended, repairs } = repairTwice(doc)
  expect(repairs).toHaveLength(expected.length)
  expect(repairs).toMatchObject(expected)
  check?.(mended)
})

describe('equal orders', () => {
  const tied = () => {
    const doc = load()
    map(doc, 'blocks', 'ask').set('at', { ...(map(doc, 'blocks', 'hello').get('at') as object) })
    return doc
  }
  test('are put apart where nobody is editing, as they are shown', () => {
    const shown = readDocument(tied(), registry)
    const { doc, repairs } = repairTwice(tied(), true)
    expect(repairs).toEqual([{ code: 'order-mended', of: 'blocks', groupId: 'g' }])
    expect(readDocument(doc, registry)).toEqual(shown)
  })
  test('are left alone among editors: it would take back what a peer moves at the same time', () => {
    expect(repairDocument(tied(), registry)).toEqual([])
  })
})

test('an unknown kind, a newer version and what is only unfinished stay as they are', () => {
  const odd = load(
    updateOf(
      {
        ...emptyFlow(),
        groups: [
          {
            id: 'g',
            title: '',
            position: { x: 0, y: 0 },
            blocks: [
              { id: 'a', kind: 'from-the-future', version: 3, data: { x: [1, { y: 2 }] } },
              { ...fresh('text', 'b'), version: 99, data: { colour: 'red' } },
              {
                ...fresh('url-input', 'c'),
                data: { ...fresh('url-input', 'c').data, attempts: 9999, saveTo: 'no such' },
              },
            ],
          },
        ],
      },
      registry,
    ),
  )
  expect(repairDocument(odd, registry)).toEqual([])
})

test('nothing is repaired while parts of the document are still to come', () => {
  const author = load()
  const updates: Uint8Array[] = []
  author.on('update', (update: Uint8Array) => updates.push(update))
  map(author, 'groups', 'g').set('title', 'First')
  map(author, 'blocks', 'bye').delete('at')
  map(author, 'groups', 'g').set('title', 'Second')
  const doc = load(stored, updates[2] as Uint8Array)
  map(doc, 'blocks', 'bye').delete('at')
  expect(repairDocument(doc, registry)).toEqual([])
  Y.applyUpdate(doc, updates[0] as Uint8Array)
  Y.applyUpdate(doc, updates[1] as Uint8Array)
  expect(repairDocument(doc, registry)).toHaveLength(1)
})

test('a repair of what changed finds what a repair of all finds', () => {
  const doc = load()
  const watch = watchForRepair(doc)
  map(doc, 'blocks', 'ask').delete('data/multiple')
  doc.getMap('texts').delete('hello/content')
  const blocks = watch.takeChanged()
  expect([...blocks].sort()).toEqual(['ask', 'hello'])
  expect(watch.takeChanged().size).toBe(0)
  const other = load(Y.encodeStateAsUpdate(doc))
  expect(repairDocument(doc, registry, { blocks })).toEqual(repairDocument(other, registry))
  watch.stop()
})

const seeds = Array.from({ length: 60 }, (_, n) => n + 1)
test.each(seeds)('seed %i: whatever a client writes, two repairs agree, and leave a flow that is valid', (seed) => {
  const random = seededRandom(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const garbage = () =>
    pick<() => unknown>([
      () => null,
      () => 7,
      () => 'text',
      () => [],
      () => ({ groupId: pick(['g', 'h', 'nowhere']), order: pick(['a0', '', '!', 5]) }),
      () => ({ type: 'static' }),
      () => ({ id: 'i', label: { type: 'static', value: 'x' } }),
      () => [{ id: 'i' }, { id: 'j' }],
      () => new Uint8Array(2),
      () => new Y.Map([['kind', 'text']]),
      () => new Y.XmlText('x'),
      () => true,
      () => 'a0',
      () => ({ name: pick(['Name', '', 'x-y']), value: 1, order: 'a0' }),
    ])()
  const doc = load()
  for (let n = 0; n < 12; n++) {
    const root = doc.getMap(pick(['groups', 'blocks', 'texts', 'edges', 'variables']))
    const keys = [...root.keys()].sort()
    const key = pick([...keys, 'new', 'a/b', 'hello/next', 'v/name', 'v/-', 'odd key', 'ask/content'])
    const inner = root.get(key)
    if (inner instanceof Y.Map && random() < 0.85) {
      const names = [...inner.keys()].sort()
      const name = pick([...names, 'data/options', 'data/options/z/#', 'data/options/z/label', 'gone', 'kind'])
      if (random() < 0.4) inner.delete(name)
      else inner.set(name, garbage())
    } else if (random() < 0.2) root.delete(key)
    else root.set(key, garbage())
  }
  repairTwice(doc, random() < 0.5)
})

describe('the work of a repair grows as the document does', () => {
  const variables = (count: number, nameOf: (n: number) => string): Y.Doc => {
    const doc = new Y.Doc()
    doc.transact(() => {
      for (let n = 0; n < count; n++) doc.getMap('variables').set(`v${n}`, { name: nameOf(n), value: '', order: 'a0' })
    })
    return doc
  }
  /** counts how often names are compared */
  const looks = (count: number, nameOf: (n: number) => string): number => {
    const doc = variables(count, nameOf)
    const spy = vi.spyOn(String.prototype, 'toLowerCase')
    try {
      repairDocument(doc, registry)
      return spy.mock.calls.length
    } finally {
      spy.mockRestore()
      const names = [...doc.getMap('variables').keys()].filter((key) => key.endsWith('/name'))
      expect(names.length).toBeGreaterThan(count / 3)
    }
  }
  test.each<[of: string, nameOf: (n: number) => string]>([
    ['one name', () => 'Name'],
    ['a name and its numbers', (n) => (n % 2 ? 'Name' : `Name ${n}`)],
  ])('for variables of %s', (_of, nameOf) => {
    expect(looks(4_000, nameOf)).toBeLessThan(looks(1_000, nameOf) * 6)
  })

  test('and large data that is broken throughout begins anew, instead of being mended piece by piece', () => {
    const doc = load()
    const junk = Array.from({ length: 200 }, (_, n) => n)
    const broken = Array.from({ length: 100 }, () => ({ label: 5, junk }))
    map(doc, 'blocks', 'ask').set('data/options', broken)
    const { schema } = registry.get('buttons')
    const spy = vi.spyOn(schema, 'safeParse')
    repairDocument(doc, registry)
    expect(spy.mock.calls.length).toBeLessThan(150)
    spy.mockRestore()
    expect(faults(doc)).toEqual([])
  })
})
