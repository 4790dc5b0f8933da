import { describe, expect, test } from 'vitest'
import type * as Y from 'yjs'
import { choiceBlock, documentOf, flowWith, noteBlock, replica, sync } from '../../tests/support/documents'
import type { RichText } from '../values/richText'
import type { FlowDocument } from './flowDocument'

const plain = (document: FlowDocument, blockId: string) =>
  (document.projection().blocks.get(blockId)?.data.content as unknown as RichText | undefined)
    ?.map((paragraph) => paragraph.children.map((child) => child.text).join(''))
    .join('\n')
/** Types like a person in another window: into the first paragraph. */
const type = (document: FlowDocument, blockId: string, text: string, origin: unknown = document.typingOrigin) =>
  document.doc.transact(() => {
    const [{ insert }] = (document.text(blockId, 'content') as Y.XmlText).toDelta() as [{ insert: Y.XmlText }]
    insert.insert(insert.length, text)
  }, origin)

describe('undo', () => {
  test("takes back one's own commands one by one, and nobody else's", () => {
    const one = documentOf(flowWith({ g: [noteBlock('a')] }))
    const two = replica(one)
    one.commands.setGroupTitle('g', 'Mine')
    two.commands.addBlock('g', 1, noteBlock('b', 'theirs'))
    one.commands.moveGroups([{ groupId: 'g', position: { x: 9, y: 9 } }])
    sync(one, two)
    one.undo.undo()
    expect(one.projection().groups.get('g')).toMatchObject({
      title: 'Mine',
      position: { x: 0, y: 0 },
      blockIds: ['a', 'b'],
    })
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

  test('commands that typing makes go together in one step, apart from the commands before and after it', () => {
    const document = documentOf(flowWith({ g: [noteBlock('a')] }))
    document.commands.setGroupTitle('g', 'First')
    for (const title of ['S', 'Se', 'Sec']) document.commands.typing(() => document.commands.setGroupTitle('g', title))
    document.commands.setGroupTitle('g', 'Third')
    const titles = [1, 2].map(() => {
      document.undo.undo()
      return document.projection().groups.get('g')?.title
    })
    expect(titles).toEqual(['Sec', 'First'])
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

  test.each([0, 1])('of a change that a peer made at the same time loses nothing (%i first)', (first) => {
    const one = documentOf({
      ...flowWith({ g: [noteBlock('a'), choiceBlock('c', ['x'])], h: [], i: [] }),
      edges: [{ from: { blockId: 'c', portId: 'x' }, to: { groupId: 'g' } }],
      variables: [{ id: 'v', name: 'Name', value: null }],
    })
    const two = replica(one)
    const edit = (document: FlowDocument, groupId: string) =>
      document.commands.batch(() => {
        document.commands.moveBlock('a', { groupId, index: 0 })
        document.commands.moveGroups([{ groupId: 'g', position: { x: 7, y: 7 } }])
        document.commands.setGroupTitle('g', `By ${groupId}`)
        document.commands.setBlockData('c', { multiple: true, options: [{ id: 'x', label: groupId }] })
        document.commands.updateVariable('v', { name: groupId })
        document.commands.connect({ blockId: 'c', portId: 'x' }, { groupId })
      })
    edit(one, 'h')
    edit(two, 'i')
    sync(one, two)
    const people = first ? [two, one] : [one, two]
    for (const person of people) {
      person.undo.undo()
      sync(one, two)
      const { groups, blocks, edges, variables } = one.projection()
      expect(two.toFlow()).toEqual(one.toFlow())
      expect(groups.get('g')?.title).toMatch(/./)
      expect([blocks.size, edges.size, variables.length]).toEqual([2, 1, 1])
      expect(blocks.get('c')?.data.options).toEqual([{ id: 'x', label: expect.stringMatching(/./) }])
    }
    for (const person of people) person.undo.redo()
    sync(one, two)
    expect(one.projection().blocks.size).toBe(2)
  })

  test('of adding an option that a peer has moved meanwhile takes it away', () => {
    const one = documentOf(flowWith({ g: [choiceBlock('c', ['x'])] }))
    const options = (ids: string[]) => ({ multiple: false, options: ids.map((id) => ({ id, label: `Label ${id}` })) })
    one.commands.setBlockData('c', options(['x', 'y']))
    const two = replica(one)
    two.commands.setBlockData('c', options(['y', 'x']))
    sync(one, two)
    one.undo.undo()
    sync(one, two)
    expect(two.projection().blocks.get('c')?.data).toEqual(options(['x']))
    one.undo.redo()
    expect(one.projection().blocks.get('c')?.data).toEqual(options(['y', 'x']))
  })

  test('of adding an option and its redo bring it back, though a peer edited the block in between', () => {
    const one = documentOf(flowWith({ g: [choiceBlock('c', ['x'])] }))
    const options = (...labels: [string, string][]) => ({
      multiple: false,
      options: labels.map(([id, label]) => ({ id, label })),
    })
    const two = replica(one)
    one.commands.setBlockData('c', options(['x', 'X'], ['y', 'Y']))
    sync(one, two)
    // the peer's label survives the undo, on an option that is hidden
    two.commands.setBlockData('c', options(['x', 'X'], ['y', 'Peer']))
    one.undo.undo()
    sync(one, two)
    two.commands.setBlockData('c', options(['x', 'New']))
    sync(one, two)
    one.undo.redo()
    sync(one, two)
    expect(two.projection().blocks.get('c')?.data).toEqual(options(['x', 'New'], ['y', 'Peer']))
  })

  test('of an addition and its redo bring the block back with what a peer made of it in between', () => {
    const one = documentOf(flowWith({ g: [], h: [] }))
    one.commands.addBlock('g', 0, choiceBlock('c', ['x', 'y']))
    const two = replica(one)
    one.undo.undo()
    two.commands.moveBlock('c', { groupId: 'h', index: 0 })
    two.commands.setBlockData('c', { multiple: true, options: [{ id: 'y', label: 'Peer' }] })
    sync(one, two)
    expect(two.projection().blocks.size).toBe(0)
    one.undo.redo()
    sync(one, two)
    expect(one.toFlow().groups.map(({ id, blocks }) => [id, blocks])).toEqual([
      ['g', []],
      ['h', [{ ...choiceBlock('c', []), data: { multiple: true, options: [{ id: 'y', label: 'Peer' }] } }]],
    ])
    expect(two.toFlow()).toEqual(one.toFlow())
  })
})
