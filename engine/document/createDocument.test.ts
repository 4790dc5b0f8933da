import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { choiceBlock, documentOf, flowWith, noteBlock, replica, testRegistry } from '../../tests/support/documents'
import type { Flow } from '../flow/schema'
import type { Json } from '../values/json'
import type { RichText } from '../values/richText'
import { createDocument } from './createDocument'

describe('a flow in and out', () => {
  test('is the same after replaceFlow, to the order of groups, blocks, edges, variables and items', () => {
    const flow: Flow = {
      ...flowWith({
        zeta: [noteBlock('n2', 'two\nlines'), choiceBlock('c1', ['b', 'a'])],
        alpha: [],
        mid: [noteBlock('n1')],
      }),
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
      {
        type: 'paragraph',
        children: [
          { text: 'Hi ' },
          { text: '', variable: true, variable_id: 'v', bold: true },
          { text: '!', bold: true, link: 'https://a.example' },
        ],
      },
      { type: 'paragraph', children: [{ text: '' }] },
      { type: 'paragraph', children: [{ text: 'x', italic: true, underline: true }] },
    ]
    const flow = flowWith({ g: [{ ...noteBlock('n'), data: { content: content as unknown as Json } }] })
    expect(documentOf(flow).toFlow()).toEqual(flow)
  })

  test('blocks put into a group within one batch stand where they were put', () => {
    const document = documentOf(flowWith({ g: [noteBlock('z'), noteBlock('y')] }))
    document.commands.batch(() => {
      document.commands.addGroup({ id: 'h', title: 'H', position: { x: 0, y: 0 }, blocks: [noteBlock('x')] })
      document.commands.addBlock('h', 1, noteBlock('w'))
      document.commands.moveBlock('z', { groupId: 'h', index: 2 })
      document.commands.insertFlow(flowWith({ i: [noteBlock('v'), noteBlock('u')] }))
      document.commands.addBlock('i', 2, noteBlock('a'))
    })
    const blockIds = (groupId: string) => document.projection().groups.get(groupId)?.blockIds
    expect([blockIds('g'), blockIds('h'), blockIds('i')]).toEqual([['y'], ['x', 'w', 'z'], ['v', 'u', 'a']])
  })

  test('insertFlow of a flow that is there already adds a second one with its references kept', () => {
    const flow: Flow = {
      ...flowWith({
        g: [{ id: 'j', kind: 'choice', version: 0, data: { jump: { groupId: 'h' } } }],
        h: [noteBlock('n')],
      }),
      edges: [{ from: { blockId: 'j', portId: 'next' }, to: { groupId: 'h', blockId: 'n' } }],
      variables: [{ id: 'v', name: 'Name', value: null }],
    }
    const document = documentOf(flow)
    document.commands.insertFlow(flow)
    const both = document.toFlow()
    expect(both.groups.slice(0, 2)).toEqual(flow.groups)
    const [first, second] = both.groups.slice(2)
    expect(first?.blocks[0]?.data).toEqual({ jump: { groupId: second?.id } })
    expect(both.edges[1]).toEqual({
      from: { blockId: first?.blocks[0]?.id, portId: 'next' },
      to: { groupId: second?.id, blockId: second?.blocks[0]?.id },
    })
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
    expect((after.blocks.get('a')?.data.options as Json[] | undefined)?.[0]).toBe(data.options[0])
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
      doc.getMap('groups').set(
        'odd',
        new Y.Map([
          ['pos', 'left'],
          ['title', 7],
          ['order', '!!'],
        ]),
      )
      doc.getMap('blocks').set('bad', new Y.Map([['at', null]]))
      doc.getMap('blocks').set(
        'odd',
        new Y.Map<unknown>([
          ['at', { groupId: 'g', order: 3 }],
          ['kind', 'note'],
          ['version', 'x'],
          ['data/__proto__', {}],
        ]),
      )
      doc.getMap('texts').set('n/content', 'no text')
      doc.getMap('edges').set('nonsense', [])
      doc.getMap('variables').set('v', null)
    })
    expect(document.projection().groups.size).toBe(2)
    expect(
      document
        .toFlow()
        .groups.flatMap((group) => group.blocks.map((block) => block.id))
        .sort(),
    ).toEqual(['n', 'odd'])
    document.commands.addGroup({ id: 'h', title: 'H', position: { x: 0, y: 0 }, blocks: [] })
    expect(document.projection().groups.has('h')).toBe(true)
  })
})
