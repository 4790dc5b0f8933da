import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import {
  choiceBlock,
  documentOf,
  flowWith,
  noteBlock,
  replica,
  seededRandom,
  sync,
  testRegistry,
} from '../../tests/support/documents'
import type { Json } from '../values/json'
import { plainRichText } from '../values/richText'
import { createDocument } from './createDocument'
import type { FlowDocument } from './flowDocument'

const options = (document: FlowDocument, blockId: string) =>
  document.projection().blocks.get(blockId)?.data.options as { id: string; label: string }[]

describe('several people', () => {
  test('one makes items of what another types into: both stand', () => {
    const lines = plainRichText('bread\nsalt')
    const one = documentOf(flowWith({ g: [{ ...noteBlock('n'), data: { content: lines as unknown as Json } }] }))
    const two = replica(one)
    const paragraphs = (document: FlowDocument) =>
      ((document.text('n', 'content') as Y.XmlText).toDelta() as { insert: Y.XmlText }[]).map(({ insert }) => insert)
    paragraphs(one).forEach((paragraph) => {
      paragraph.setAttribute('list', 'number')
      paragraph.setAttribute('level', 9 as unknown as string)
    })
    paragraphs(two)[1]?.insert(4, ' and oil')
    sync(one, two)
    expect(one.projection().blocks.get('n')?.data.content).toEqual([
      { type: 'paragraph', list: 'number', level: 3, children: [{ text: 'bread' }] },
      { type: 'paragraph', list: 'number', level: 3, children: [{ text: 'salt and oil' }] },
    ])
    expect(two.toFlow()).toEqual(one.toFlow())
  })

  test('edit different options of one block: both edits stand', () => {
    const one = documentOf(flowWith({ g: [choiceBlock('c', ['a', 'b', 'c'])] }))
    const two = replica(one)
    const relabel = (document: FlowDocument, id: string, label: string) => {
      const data = document.projection().blocks.get('c')?.data as { options: { id: string }[] }
      document.commands.setBlockData('c', {
        ...data,
        options: data.options.map((o) => (o.id === id ? { ...o, label } : o)),
      } as Record<string, Json>)
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
    two.commands.setBlockData('c', {
      multiple: false,
      options: [
        { id: 'b', label: 'Renamed' },
        { id: 'a', label: 'Label a' },
      ],
    })
    sync(one, two)
    expect(options(one, 'c').map((option) => option.id)).toEqual(['a'])
    expect(two.toFlow()).toEqual(one.toFlow())
    one.undo.undo()
    sync(one, two)
    expect(options(two, 'c').find((option) => option.id === 'b')).toEqual({ id: 'b', label: 'Renamed' })
  })

  test('nested items and reordering merge', () => {
    const data = {
      branches: [
        {
          id: 'x',
          tests: [
            { id: 't1', value: 1 },
            { id: 't2', value: 2 },
          ],
        },
        { id: 'y', tests: [] },
      ],
    }
    const one = documentOf(flowWith({ g: [{ id: 'c', kind: 'choice', version: 0, data }] }))
    const two = replica(one)
    one.commands.setBlockData('c', { branches: [data.branches[1], data.branches[0]] as Json[] })
    two.commands.setBlockData('c', {
      branches: [
        {
          id: 'x',
          tests: [
            { id: 't1', value: 9 },
            { id: 't2', value: 2 },
            { id: 't3', value: 3 },
          ],
        },
        { id: 'y', tests: [] },
      ],
    })
    sync(one, two)
    expect(one.projection().blocks.get('c')?.data).toEqual({
      branches: [
        { id: 'y', tests: [] },
        {
          id: 'x',
          tests: [
            { id: 't1', value: 9 },
            { id: 't2', value: 2 },
            { id: 't3', value: 3 },
          ],
        },
      ],
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

  test.each(Array.from({ length: 24 }, (_, seed) => seed + 1))(
    'seed %i: replicas agree after any commands in any delivery',
    (seed) => {
      const random = seededRandom(seed)
      const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
      const first = documentOf(
        flowWith({ g1: [noteBlock('b1', 'one'), choiceBlock('b2', ['a', 'b'])], g2: [noteBlock('b3')] }),
      )
      const people = [first, ...Array.from({ length: 1 + Math.floor(random() * 3) }, () => replica(first))]
      const inbox = people.map(() => [] as Uint8Array[])
      people.forEach((person, i) => {
        person.doc.on('update', (update: Uint8Array, origin: unknown) => {
          if (origin !== 'remote') for (const [j, box] of inbox.entries()) if (j !== i) box.push(update)
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
          () =>
            data?.options &&
            commands.setBlockData(block, {
              ...data,
              [made % 2 ? 'odd' : 'even']: id,
              options: [...data.options.slice(1), { id, label: id }, ...data.options.slice(0, 1)],
            } as unknown as Record<string, Json>),
          () => commands.setRichText(block, 'content', plainRichText(`${id}\n${made}`)),
          () => commands.addVariable({ id, name: id, value: made }),
          () => person.undo.undo(),
          () => person.undo.redo(),
        ])?.()
        for (let d = Math.floor(random() * 3); d > 0; d--) deliver(Math.floor(random() * people.length))
        // the incremental projection equals one computed from scratch
        if (n % 25 === 0)
          expect(person.toFlow()).toEqual(createDocument({ doc: person.doc, registry: testRegistry }).toFlow())
      }
      people.forEach((_, i) => {
        while (inbox[i]?.length) deliver(i)
      })
      // byte for byte including key order, although each replica received them in another order
      const flows = people.map((person) => JSON.stringify(person.toFlow()))
      expect(new Set(flows).size).toBe(1)
      const ids = new Set(
        first.toFlow().groups.flatMap((group) => [group.id, ...group.blocks.map((block) => block.id)]),
      )
      for (const edge of first.toFlow().edges) expect(ids.has(edge.from.blockId) && ids.has(edge.to.groupId)).toBe(true)
    },
  )
})
