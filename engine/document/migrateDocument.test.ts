import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { z } from 'zod'
import { registry } from '../../blocks/registry'
import { defineBlock } from '../flow/defineBlock'
import { createRegistry } from '../flow/registry'
import { emptyFlow } from '../flow/schema'
import { createProgram } from '../run/program'
import { plainRichText, richTextSchema } from '../values/richText'
import { createDocument } from './createDocument'
import { migrateDocument } from './migrateDocument'
import { readDocument, updateOf } from './plainFlow'
import { GONE } from './shape'

const stored = (update: Uint8Array, clientId = 9): Y.Doc => {
  const doc = new Y.Doc()
  doc.clientID = clientId
  Y.applyUpdate(doc, update)
  return doc
}
const fixture = JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures/firstKinds.json'), 'utf8'))
const firstKinds = Buffer.from(fixture.update, 'base64')

test('a document from before any migration has every block at its present version, valid, texts and edges kept', () => {
  const doc = stored(firstKinds)
  expect(migrateDocument(doc, registry)).toBeGreaterThan(3)
  const flow = readDocument(doc, registry)
  const blocks = flow.groups.flatMap((group) => group.blocks)
  expect(blocks).toHaveLength(11)
  for (const { kind, version, data } of blocks) {
    const definition = registry.get(kind)
    expect([kind, version]).toEqual([kind, definition.migrations.length])
    // required fields may still be empty; nothing else may be invalid
    const issues = definition.schema.safeParse(data).error?.issues ?? []
    expect([kind, issues.filter(({ code }) => code === 'unrecognized_keys' || code === 'invalid_type')]).toEqual([
      kind,
      [],
    ])
  }
  expect(blocks.find(({ kind }) => kind === 'text-input')?.data).toMatchObject({
    prompt: plainRichText('Who are you?'),
    quickReplies: [],
    interruptible: true,
  })
  expect(blocks.find(({ kind }) => kind === 'go-to')?.data).toMatchObject({ to: 'group', target: { groupId: 'g' } })
  expect(createProgram(flow, registry).blocks.get('go-to')?.problem).toBeNull()
})

test('a deleted block is brought over too, so that undo brings back one that can be edited', () => {
  const doc = stored(firstKinds)
  migrateDocument(doc, registry)
  const map = doc.getMap('blocks').get('number-input') as Y.Map<unknown>
  expect(map.get(GONE)).toBe(true)
  map.delete(GONE)
  const restored = readDocument(doc, registry).groups[0]?.blocks.find(({ id }) => id === 'number-input')
  expect(restored).toMatchObject({ data: { prompt: plainRichText('How many?'), quickReplies: [] } })
})

test('it is one change, the same for the same document, and none the second time', () => {
  const updates: Uint8Array[] = []
  const [first, second] = [stored(firstKinds), stored(firstKinds)]
  first.on('update', (update: Uint8Array) => updates.push(update))
  migrateDocument(first, registry)
  migrateDocument(second, registry)
  expect(updates).toHaveLength(1)
  expect(Y.encodeStateAsUpdate(second)).toEqual(Y.encodeStateAsUpdate(first))
  expect(migrateDocument(first, registry)).toBe(0)
  expect(updates).toHaveLength(1)
})

const schema = z.strictObject({
  said: richTextSchema(100),
  list: z.array(z.strictObject({ id: z.string(), n: z.int() })),
})
const kind = (
  migrations: { name: string; up: (data: Record<string, unknown>) => Record<string, unknown> }[],
  rich = true,
) =>
  createRegistry([
    defineBlock({
      kind: 'note',
      category: 'other',
      title: 'Note',
      help: '',
      schema,
      defaults: () => ({ said: plainRichText(''), list: [] }),
      richTexts: rich ? ['said'] : [],
      migrations,
      ports: () => [{ id: 'next' }],
      *run() {
        return 'next'
      },
    }),
  ])
const documentWith = (data: object, version = 0, name = 'note') =>
  updateOf(
    {
      ...emptyFlow(),
      groups: [
        {
          id: 'g',
          title: '',
          position: { x: 0, y: 0 },
          blocks: [{ id: 'b', kind: name, version, data: JSON.parse(JSON.stringify(data)) }],
        },
      ],
    },
    kind([]),
  )
const blockIn = (doc: Y.Doc, from = kind([])) => readDocument(doc, from).groups[0]?.blocks[0]

test('a field that becomes rich text, and items of lists, are brought over into the shape that peers merge', () => {
  const doc = new Y.Doc()
  Y.applyUpdate(
    doc,
    updateOf(
      JSON.parse(
        JSON.stringify({
          ...emptyFlow(),
          groups: [
            {
              id: 'g',
              title: '',
              position: { x: 0, y: 0 },
              blocks: [{ id: 'b', kind: 'note', version: 0, data: { said: 'plain', list: [{ id: 'i' }] } }],
            },
          ],
        }),
      ),
      kind([], false),
    ),
  )
  const present = kind([
    {
      name: 'AddRichText',
      up: ({ said, list }) => ({
        said: plainRichText(String(said)),
        list: (list as { id: string }[]).map((item) => ({ ...item, n: 1 })),
      }),
    },
  ])
  expect(migrateDocument(doc, present)).toBe(1)
  expect(blockIn(doc, present)).toMatchObject({
    version: 1,
    data: { said: plainRichText('plain'), list: [{ id: 'i', n: 1 }] },
  })
  const peer = createDocument({ doc, registry: present })
  expect(peer.text('b', 'said')).not.toBeNull()
  expect(doc.getMap('blocks').get('b')).toSatisfy((map: Y.Map<unknown>) => map.get('data/list/i/n') === 1)
})

test.each<[string, () => Uint8Array, ReturnType<typeof kind>]>([
  [
    'that a migration throws at',
    () => documentWith({ said: 7, list: 'none' }),
    kind([
      {
        name: 'Fails',
        up: () => {
          throw new Error('no')
        },
      },
    ]),
  ],
  ['of a newer version', () => documentWith({ said: plainRichText('x'), list: [] }, 9), kind([])],
  ['of an unknown kind', () => documentWith({ anything: [1, { a: 2 }] }, 0, 'from-the-future'), kind([])],
])('a block %s stays as it is, is shown, and is passed over when it runs', (_name, update, present) => {
  const doc = stored(update())
  const before = blockIn(doc, present)
  expect(migrateDocument(doc, present)).toBe(0)
  expect(blockIn(doc, present)).toEqual(before)
  expect(createProgram(readDocument(doc, present), present).blocks.get('b')).toMatchObject({ id: 'b' })
})
