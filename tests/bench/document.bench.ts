import { bench, describe } from 'vitest'
import * as Y from 'yjs'
import { registry } from '../../blocks/registry'
import { createDocument } from '../../engine/document/createDocument'
import { type Block, emptyFlow, type Flow } from '../../engine/flow/schema'
import type { Json } from '../../engine/values/json'
import { plainRichText } from '../../engine/values/richText'

/** ARCHITECTURE.md, "The document": 58-80 ms to load 1,000 groups with 4,500 blocks, 13-20 us an edit, a whole projection 6 ms. */
const GROUPS = 1_000
const flow: Flow = {
  ...emptyFlow(),
  groups: Array.from({ length: GROUPS }, (_, g) => ({
    id: `g${g}`,
    title: `Group ${g}`,
    position: { x: (g % 32) * 400, y: Math.floor(g / 32) * 300 },
    blocks: Array.from({ length: 4 + (g % 2) }, (_, b): Block => {
      const id = `g${g}b${b}`
      if (b % 3 !== 2)
        return {
          id,
          kind: 'text',
          version: 0,
          data: { content: plainRichText(`Hello from ${id}, how are you?`) as unknown as Json },
        }
      const options = ['yes', 'no', 'later'].map((option) => ({ id: option, label: { type: 'static', value: option } }))
      return { id, kind: 'buttons', version: 0, data: { multiple: false, options } }
    }),
  })),
  edges: Array.from({ length: GROUPS - 1 }, (_, g) => ({
    from: { blockId: `g${g}b0`, portId: 'next' },
    to: { groupId: `g${g + 1}` },
  })),
}
const author = createDocument({ registry })
author.commands.replaceFlow(flow)
const state = Y.encodeStateAsUpdate(author.doc)
let n = 0

describe(`a flow of ${GROUPS} groups, 4,500 blocks, ${Math.round(state.length / 1024)} KB`, () => {
  const document = load()
  document.undo.destroy()

  bench('load the document', () => {
    const doc = new Y.Doc()
    Y.applyUpdate(doc, state)
  })
  const doc = new Y.Doc()
  Y.applyUpdate(doc, state)
  bench('the whole projection', () => {
    createDocument({ doc, registry }).destroy()
  })
  bench('an edit: move a group', () => {
    document.commands.moveGroups([{ groupId: 'g500', position: { x: ++n, y: 0 } }])
  })
  bench('an edit: rename an option', () => {
    const label = { type: 'static', value: `yes ${++n}` }
    const data = document.projection().blocks.get('g500b2')?.data as { options: Json[] }
    document.commands.setBlockData('g500b2', {
      multiple: false,
      options: [{ id: 'yes', label }, ...data.options.slice(1)],
    })
  })
  bench('an edit: type a letter', () => {
    const text = document.text('g500b0', 'content') as Y.XmlText
    const [{ insert }] = text.toDelta() as [{ insert: Y.XmlText }]
    document.doc.transact(() => insert.insert(0, String(++n % 10)), document.typingOrigin)
  })
  bench('an edit: move a block to another group', () => {
    document.commands.moveBlock('g500b1', { groupId: `g${++n % 2 ? 501 : 500}`, index: 1 })
  })
  bench('an edit: add a block and take it back', () => {
    const content = plainRichText('new') as unknown as Json
    document.commands.addBlock('g501', 1, { id: `new${++n}`, kind: 'text', version: 0, data: { content } })
    document.commands.deleteBlocks([`new${n}`])
  })
  bench('the whole flow as JSON', () => {
    document.toFlow()
  })
})

function load() {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, state)
  return createDocument({ doc, registry })
}
