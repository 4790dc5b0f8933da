import { Text as SlateText, createEditor, Transforms, type BaseEditor, Editor } from 'slate'
import { withYjs, YjsEditor } from '@slate-yjs/core'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import type { Flow } from '../flow/schema'
import type { Json } from '../values/json'
import { plainRichText, type RichText } from '../values/richText'
import type { FlowDocument } from './commands'
import { createDocument } from './createDocument'
import { choiceBlock, documentOf, flowWith, noteBlock, replica, seededRandom, sync, testRegistry } from './testSupport'

const plain = (document: FlowDocument, blockId: string) =>
  (document.projection().blocks.get(blockId)?.data.content as unknown as RichText | undefined)
    ?.map((paragraph) => paragraph.children.map((child) => child.text).join(''))
    .join('\n')
const options = (document: FlowDocument, blockId: string) =>
  document.projection().blocks.get(blockId)?.data.options as { id: string; label: string }[]
/** Types like a person in another window: into the first paragraph. */
const type = (document: FlowDocument, blockId: string, text: string, origin: unknown = document.typingOrigin) =>
  document.doc.transact(() => {
    const [{ insert }] = (document.text(blockId, 'content') as Y.XmlText).toDelta() as [{ insert: Y.XmlText }]
    insert.insert(insert.length, text)
  }, origin)

describe('a flow in and out', () => {
  test('is the same after replaceFlow, to the order of groups, blocks, edges, variables and items', () => {
    const flow: Flow = {
      ...flowWith({ zeta: [noteBlock('n2', 'two\nlines'), choiceBlock('c1', ['b', 'a'])], alpha: [], mid: [noteBlock('n1')] }),
      edges: [
        { from: { blockId: 'n2', portId: 'next' }, to: { groupId: 'mid', blockId: 'n1' } },
        { from: { blockId: 'c1', portId: 'a' }, to: { groupId: 'alpha' } },
      ],
      variables: [
        { id: 'v2', name: 'Later', value: null },
        { id: 'v1', name: 'Name', value: ['x', { deep: 1 }] },
      ],
    }
    const document = createDocument({ registry: testRegistry })
    document.commands.replaceFlow(flow)
    expect(document.toFlow()).toEqual(flow)
    expect(replica(document).toFlow()).toEqual(flow)
  })

  test('replaceFlow over another flow leaves nothing of it, and undo brings it back', () => {
    const before = flowWith({ g: [noteBlock('n', 'old'), choiceBlock('c', ['a', 'b'])], h: [] })
    const document = documentOf(before)
    const after = flowWith({ h: [choiceBlock('c', ['b', 'x'])], k: [noteBlock('n', 'new')] })
    document.commands.replaceFlow(after)
    expect(document.toFlow()).toEqual(after)
    document.undo.undo()
    expect(document.toFlow()).toEqual(before)
  })

  test('replaceFlow with what is there writes nothing', () => {
    const document = documentOf(flowWith({ g: [noteBlock('n', 'text'), choiceBlock('c', ['a'])] }))
    let updates = 0
    document.doc.on('update', () => updates++)
    document.commands.replaceFlow(document.toFlow())
    expect(updates).toBe(0)
  })

  test('rich text keeps marks, links, chips and empty paragraphs', () => {
    const content: RichText = [
      { type: 'paragraph', children: [{ text: 'Hi ' }, { text: '', variable: true, variable_id: 'v', bold: true }, { text: '!', bold: true, link: 'https://a.example' }] },
      { type: 'paragraph', children: [{ text: '' }] },
      { type: 'paragraph', children: [{ text: 'x', italic: true, underline: true }] },
    ]
    const flow = flowWith({ g: [{ ...noteBlock('n'), data: { content: content as unknown as Json } }] })
    expect(documentOf(flow).toFlow()).toEqual(flow)
  })

  test('insertFlow of a flow that is there already adds a second one with its references kept', () => {
    const flow: Flow = {
      ...flowWith({ g: [{ id: 'j', kind: 'choice', version: 0, data: { jump: { groupId: 'h' } } }], h: [noteBlock('n')] }),
      edges: [{ from: { blockId: 'j', portId: 'next' }, to: { groupId: 'h', blockId: 'n' } }],
      variables: [{ id: 'v', name: 'Name', value: null }],
    }
    const document = documentOf(flow)
    document.commands.insertFlow(flow)
    const both = document.toFlow()
    expect(both.groups.slice(0, 2)).toEqual(flow.groups)
    const [first, second] = both.groups.slice(2)
    expect(first?.blocks[0]?.data).toEqual({ jump: { groupId: second?.id } })
    expect(both.edges[1]).toEqual({ from: { blockId: first?.blocks[0]?.id, portId: 'next' }, to: { groupId: second?.id, blockId: second?.blocks[0]?.id } })
    expect(both.variables).toEqual(flow.variables)
    expect(first?.position.x).toBeGreaterThan(400)
  })
})

describe('the projection', () => {
  test('keeps the identity of everything that a change does not touch', () => {
    const document = documentOf(flowWith({ g: [choiceBlock('a', ['1', '2']), noteBlock('b')], h: [noteBlock('c')] }))
    const before = document.projection()
    const data = before.blocks.get('a')?.data as { options: Json[] }
    const options = [data.options[0], { id: '2', label: 'changed' }] as Json[]
    document.commands.setBlockData('a', { ...data, options } as Record<string, Json>)
    const after = document.projection()
    expect(after.blocks.get('a')).not.toBe(before.blocks.get('a'))
    expect((after.blocks.get('a')?.data.options as Json[])[0]).toBe(data.options[0])
    expect(after.blocks.get('b')).toBe(before.blocks.get('b'))
    expect(after.groups).toBe(before.groups)
    expect(after.edges).toBe(before.edges)
    expect(before.blocks.get('a')?.data).toBe(data)
  })

  test('is told to subscribers once a transaction, and not when nothing shows', () => {
    const document = documentOf(flowWith({ g: [noteBlock('a')] }))
    let calls = 0
    document.subscribe(() => calls++)
    document.commands.batch(() => {
      document.commands.setGroupTitle('g', 'One')
      document.commands.addBlock('g', 0, noteBlock('b'))
    })
    expect(calls).toBe(1)
    document.commands.setGroupTitle('g', 'One')
    document.commands.setGroupTitle('nowhere', 'One')
    expect(calls).toBe(1)
  })

  test('shows no block of a deleted group, no edge from or to nothing, and all of them after undo', () => {
    const document = documentOf({
      ...flowWith({ g: [noteBlock('a')], h: [noteBlock('b')] }),
      edges: [
        { from: { blockId: 'a', portId: 'next' }, to: { groupId: 'h' } },
        { from: { blockId: 'b', portId: 'next' }, to: { groupId: 'g', blockId: 'a' } },
      ],
    })
    const before = document.toFlow()
    document.commands.deleteGroups(['h'])
    expect(document.toFlow()).toEqual({ ...flowWith({ g: [noteBlock('a')] }) })
    expect(document.text('b', 'content')).toBeNull()
    document.undo.undo()
    expect(document.toFlow()).toEqual(before)
  })

  test('an edge to a block names the group where the block is now', () => {
    const document = documentOf(flowWith({ g: [noteBlock('a'), noteBlock('b')], h: [] }))
    document.commands.connect({ blockId: 'a', portId: 'next' }, { groupId: 'g', blockId: 'b' })
    document.commands.moveBlock('b', { groupId: 'h', index: 0 })
    expect(document.projection().edges.get('a/next')?.to).toEqual({ groupId: 'h', blockId: 'b' })
  })

  test('does not fall over what a foreign client writes into the maps', () => {
    const doc = new Y.Doc()
    const document = createDocument({ doc, registry: testRegistry })
    document.commands.addGroup({ id: 'g', title: 'G', position: { x: 0, y: 0 }, blocks: [noteBlock('n', 'x')] })
    doc.transact(() => {
      doc.getMap('groups').set('bad', 5)
      doc.getMap('groups').set('odd', new Y.Map([['pos', 'left'], ['title', 7], ['order', '!!']]))
      doc.getMap('blocks').set('bad', new Y.Map([['at', null]]))
      doc.getMap('blocks').set('odd', new Y.Map<unknown>([['at', { groupId: 'g', order: 3 }], ['kind', 'note'], ['version', 'x'], ['data/__proto__', {}]]))
      doc.getMap('texts').set('n/content', 'no text')
      doc.getMap('edges').set('nonsense', [])
      doc.getMap('variables').set('v', null)
    })
    expect(document.projection().groups.size).toBe(2)
    expect(document.toFlow().groups.flatMap((group) => group.blocks.map((block) => block.id)).sort()).toEqual(['n', 'odd'])
    document.commands.addGroup({ id: 'h', title: 'H', position: { x: 0, y: 0 }, blocks: [] })
    expect(document.projection().groups.has('h')).toBe(true)
  })
})

describe('several people', () => {
  test('edit different options of one block: both edits stand', () => {
    const one = documentOf(flowWith({ g: [choiceBlock('c', ['a', 'b', 'c'])] }))
    const two = replica(one)
    const relabel = (document: FlowDocument, id: string, label: string) => {
      const data = document.projection().blocks.get('c')?.data as { options: { id: string }[] }
      document.commands.setBlockData('c', { ...data, options: data.options.map((o) => (o.id === id ? { ...o, label } : o)) } as Record<string, Json>)
    }
    relabel(one, 'a', 'One')
    relabel(two, 'c', 'Two')
    sync(one, two)
    expect(options(one, 'c').map((option) => option.label)).toEqual(['One', 'Label b', 'Two'])
    expect(two.toFlow()).toEqual(one.toFlow())
  })

  test('one deletes an option that the other renames and moves: it is gone, and undo brings it back as renamed', () => {
    const one = documentOf(flowWith({ g: [choiceBlock('c', ['a', 'b'])] }))
    const two = replica(one)
    one.commands.setBlockData('c', { multiple: false, options: [{ id: 'a', label: 'Label a' }] })
    two.commands.setBlockData('c', { multiple: false, options: [{ id: 'b', label: 'Renamed' }, { id: 'a', label: 'Label a' }] })
    sync(one, two)
    expect(options(one, 'c').map((option) => option.id)).toEqual(['a'])
    expect(two.toFlow()).toEqual(one.toFlow())
    one.undo.undo()
    sync(one, two)
    expect(options(two, 'c').find((option) => option.id === 'b')).toEqual({ id: 'b', label: 'Renamed' })
  })

  test('nested items and reordering merge', () => {
    const data = { branches: [{ id: 'x', tests: [{ id: 't1', value: 1 }, { id: 't2', value: 2 }] }, { id: 'y', tests: [] }] }
    const one = documentOf(flowWith({ g: [{ id: 'c', kind: 'choice', version: 0, data }] }))
    const two = replica(one)
    one.commands.setBlockData('c', { branches: [data.branches[1], data.branches[0]] as Json[] })
    two.commands.setBlockData('c', {
      branches: [{ id: 'x', tests: [{ id: 't1', value: 9 }, { id: 't2', value: 2 }, { id: 't3', value: 3 }] }, { id: 'y', tests: [] }],
    })
    sync(one, two)
    expect(one.projection().blocks.get('c')?.data).toEqual({
      branches: [{ id: 'y', tests: [] }, { id: 'x', tests: [{ id: 't1', value: 9 }, { id: 't2', value: 2 }, { id: 't3', value: 3 }] }],
    })
  })

  test('one deletes a block that the other moves or drags the group of: it stays deleted', () => {
    for (const first of [0, 1]) {
      const documents = [documentOf(flowWith({ g: [noteBlock('a')], h: [] }))]
      documents.push(replica(documents[0] as FlowDocument))
      const deleter = documents[first] as FlowDocument
      const mover = documents[1 - first] as FlowDocument
      deleter.commands.deleteBlocks(['a'])
      deleter.commands.deleteGroups(['h'])
      mover.commands.moveBlock('a', { groupId: 'h', index: 0 })
      mover.commands.moveGroups([{ groupId: 'h', position: { x: 5, y: 5 } }])
      sync(deleter, mover)
      expect(mover.toFlow()).toEqual(flowWith({ g: [] }))
      expect(deleter.toFlow()).toEqual(mover.toFlow())
    }
  })

  test.each(Array.from({ length: 24 }, (_, seed) => seed + 1))('seed %i: replicas agree after any commands in any delivery', (seed) => {
    const random = seededRandom(seed)
    const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
    const first = documentOf(flowWith({ g1: [noteBlock('b1', 'one'), choiceBlock('b2', ['a', 'b'])], g2: [noteBlock('b3')] }))
    const people = [first, ...Array.from({ length: 1 + Math.floor(random() * 3) }, () => replica(first))]
    const inbox = people.map(() => [] as Uint8Array[])
    people.forEach((person, i) => {
      person.doc.on('update', (update: Uint8Array, origin: unknown) => {
        if (origin !== 'remote') inbox.forEach((box, j) => j !== i && box.push(update))
      })
    })
    const deliver = (i: number) => {
      const box = inbox[i] as Uint8Array[]
      const at = Math.floor(random() * box.length)
      const [update] = box.splice(at, 1)
      if (update) Y.applyUpdate((people[i] as FlowDocument).doc, update, 'remote')
    }
    let made = 0
    for (let n = 0; n < 150; n++) {
      const i = Math.floor(random() * people.length)
      const person = people[i] as FlowDocument
      const { groups, blocks, edges } = person.projection()
      const group = pick([...groups.keys()]) ?? 'none'
      const block = pick([...blocks.keys()]) ?? 'none'
      const id = `n${seed}-${++made}`
      const { commands } = person
      const data = blocks.get(block)?.data as { options?: { id: string }[] } | undefined
      pick([
        () => commands.addGroup({ id, title: id, position: { x: made, y: 0 }, blocks: [noteBlock(`${id}b`, id)] }),
        () => commands.addBlock(group, Math.floor(random() * 4), choiceBlock(id, ['a', 'b'])),
        () => commands.moveBlock(block, { groupId: group, index: Math.floor(random() * 4) }),
        () => commands.deleteBlocks([block]),
        () => random() < 0.3 && commands.deleteGroups([group]),
        () => commands.moveGroups([{ groupId: group, position: { x: random(), y: random() } }]),
        () => commands.connect({ blockId: block, portId: 'next' }, { groupId: group }),
        () => commands.disconnect([...edges.values()].slice(0, 1).map((edge) => edge.from)),
        () => data?.options && commands.setBlockData(block, { ...data, options: [...data.options.slice(1), { id, label: id }, ...data.options.slice(0, 1)] } as unknown as Record<string, Json>),
        () => commands.setRichText(block, 'content', plainRichText(`${id}\n${made}`)),
        () => commands.addVariable({ id, name: id, value: made }),
        () => person.undo.undo(),
        () => person.undo.redo(),
      ])?.()
      for (let d = Math.floor(random() * 3); d > 0; d--) deliver(Math.floor(random() * people.length))
      // what is followed event by event is what a fresh look at the document shows
      if (n % 25 === 0) expect(person.toFlow()).toEqual(createDocument({ doc: person.doc, registry: testRegistry }).toFlow())
    }
    people.forEach((_, i) => {
      while (inbox[i]?.length) deliver(i)
    })
    const flows = people.map((person) => JSON.stringify(person.toFlow()))
    expect(new Set(flows).size).toBe(1)
    const ids = new Set(first.toFlow().groups.flatMap((group) => [group.id, ...group.blocks.map((block) => block.id)]))
    for (const edge of first.toFlow().edges) expect(ids.has(edge.from.blockId) && ids.has(edge.to.groupId)).toBe(true)
  })
})

describe('undo', () => {
  test('takes back one\'s own commands one by one, and nobody else\'s', () => {
    const one = documentOf(flowWith({ g: [noteBlock('a')] }))
    const two = replica(one)
    one.commands.setGroupTitle('g', 'Mine')
    two.commands.addBlock('g', 1, noteBlock('b', 'theirs'))
    one.commands.moveGroups([{ groupId: 'g', position: { x: 9, y: 9 } }])
    sync(one, two)
    one.undo.undo()
    expect(one.projection().groups.get('g')).toMatchObject({ title: 'Mine', position: { x: 0, y: 0 }, blockIds: ['a', 'b'] })
    one.undo.undo()
    expect(one.projection().groups.get('g')).toMatchObject({ title: 'Group g', blockIds: ['a', 'b'] })
    expect(one.undo.canUndo()).toBe(false)
    one.undo.redo()
    one.undo.redo()
    expect(one.projection().groups.get('g')).toMatchObject({ title: 'Mine', position: { x: 9, y: 9 } })
  })

  test('a batch is one step', () => {
    const document = documentOf(flowWith({ g: [noteBlock('a')] }))
    const before = document.toFlow()
    document.commands.batch(() => {
      document.commands.addGroup({ id: 'h', title: 'H', position: { x: 0, y: 0 }, blocks: [noteBlock('b')] })
      document.commands.connect({ blockId: 'a', portId: 'next' }, { groupId: 'h' })
    })
    document.undo.undo()
    expect(document.toFlow()).toEqual(before)
  })

  test('typing goes together in one step, apart from the commands before and after it', () => {
    const document = documentOf(flowWith({ g: [noteBlock('a', 'Hi')] }))
    document.commands.setGroupTitle('g', 'First')
    type(document, 'a', ' there')
    type(document, 'a', ', you')
    document.commands.setGroupTitle('g', 'Second')
    document.undo.undo()
    expect([document.projection().groups.get('g')?.title, plain(document, 'a')]).toEqual(['First', 'Hi there, you'])
    document.undo.undo()
    expect([document.projection().groups.get('g')?.title, plain(document, 'a')]).toEqual(['First', 'Hi'])
  })

  test('of a deletion brings back what a peer typed and chose meanwhile', () => {
    const one = documentOf(flowWith({ g: [noteBlock('a', 'Hello'), choiceBlock('c', ['x'])] }))
    const two = replica(one)
    one.commands.deleteGroups(['g'])
    type(two, 'a', ' from a peer')
    two.commands.setBlockData('c', { multiple: true, options: [{ id: 'x', label: 'Peer' }] })
    two.commands.addBlock('g', 2, noteBlock('new', 'added'))
    sync(one, two)
    expect(one.toFlow().groups).toEqual([])
    expect(two.toFlow().groups).toEqual([])
    one.undo.undo()
    sync(one, two)
    expect(plain(one, 'a')).toBe('Hello from a peer')
    expect(one.projection().blocks.get('c')?.data).toEqual({ multiple: true, options: [{ id: 'x', label: 'Peer' }] })
    expect(plain(two, 'new')).toBe('added')
  })

  test('of a deleted block brings back what a peer typed meanwhile', () => {
    const one = documentOf(flowWith({ g: [noteBlock('a', 'Hello')] }))
    const two = replica(one)
    one.commands.deleteBlocks(['a'])
    type(two, 'a', ' again')
    sync(one, two)
    one.undo.undo()
    sync(one, two)
    expect(plain(two, 'a')).toBe('Hello again')
  })
})

describe('Slate on a text of the document', () => {
  const bind = (document: FlowDocument) => {
    const text = document.text('n', 'content') as Y.XmlText
    const editor = withYjs(createEditor() as BaseEditor & { isInline: (e: unknown) => boolean }, text as never, { localOrigin: document.typingOrigin }) as YjsEditor
    editor.isInline = editor.isVoid = (element) => (element as { type?: string }).type === 'variable'
    YjsEditor.connect(editor)
    return editor
  }

  test('shows paragraphs, marks and chips, and writes back what is typed, split, marked and inserted', () => {
    const content: RichText = [{ type: 'paragraph', children: [{ text: 'Hi ', bold: true }, { text: '', variable: true, variable_id: 'v' }] }]
    const document = documentOf(flowWith({ g: [{ ...noteBlock('n'), data: { content: content as unknown as Json } }] }))
    const editor = bind(document)
    expect(editor.children).toMatchObject([
      { type: 'paragraph', children: [{ text: 'Hi ', bold: true }, { type: 'variable', variable_id: 'v', children: [{ text: '' }] }, { text: '' }] },
    ])
    Transforms.insertText(editor, 'you', { at: { path: [0, 2], offset: 0 } })
    Transforms.splitNodes(editor, { at: { path: [0, 2], offset: 1 } })
    Transforms.insertNodes(editor, { type: 'variable', variable_id: 'w', children: [{ text: '' }] } as never, { at: { path: [1, 0], offset: 2 } })
    Transforms.setNodes(editor, { link: 'https://a.example' } as never, { at: [1, 0], match: SlateText.isText })
    Editor.normalize(editor)
    YjsEditor.flushLocalChanges(editor)
    expect(document.projection().blocks.get('n')?.data.content).toEqual([
      { type: 'paragraph', children: [{ text: 'Hi ', bold: true }, { text: '', variable: true, variable_id: 'v' }, { text: 'y' }] },
      { type: 'paragraph', children: [{ text: 'ou', link: 'https://a.example' }, { text: '', variable: true, variable_id: 'w' }] },
    ])
    document.undo.undo()
    expect(document.projection().blocks.get('n')?.data.content).toEqual(content)
    expect(editor.children).toHaveLength(1)
  })
})
