import { expect, test } from 'vitest'
import type * as Y from 'yjs'
import { choiceBlock, documentOf, flowWith, noteBlock, replica, sync } from '../../tests/support/documents'
import type { Flow } from '../flow/schema'
import type { Json } from '../values/json'
import type { RichText } from '../values/richText'
import type { FlowDocument } from './flowDocument'

/**
 * The outcome when two people change the same thing at the same time (README.md has the same table in words): for both
 * orders of arrival, replicas are equal. `one` and `two` are the edits, `gives` the possible outcomes, and `undone` the
 * flow after the first person's undo.
 */
type Act = (document: FlowDocument) => void
interface Pair {
  name: string
  one: Act
  two: Act
  look: (document: FlowDocument) => unknown
  /** one of these: several where the later edit wins */
  gives: unknown[]
  undone?: unknown[]
}

const flow: Flow = {
  ...flowWith({ g: [noteBlock('n', 'Hello'), choiceBlock('c', ['a', 'b'])], h: [noteBlock('m')], i: [] }),
  edges: [{ from: { blockId: 'c', portId: 'a' }, to: { groupId: 'h' } }],
  variables: [{ id: 'v', name: 'Name', value: null }],
}

const move =
  (groupId: string, blockId = 'n'): Act =>
  ({ commands }) =>
    commands.moveBlock(blockId, { groupId, index: 0 })
const deleteBlock: Act = ({ commands }) => commands.deleteBlocks(['n'])
const deleteGroup: Act = ({ commands }) => commands.deleteGroups(['h'])
const type =
  (text: string, at = 5): Act =>
  (document) =>
    document.doc.transact(() => {
      const [{ insert }] = (document.text('n', 'content') as Y.XmlText).toDelta() as [{ insert: Y.XmlText }]
      insert.insert(at, text)
    }, document.typingOrigin)
type Option = { id: string; label: string }
const optionsOf = (document: FlowDocument) => document.projection().blocks.get('c')?.data.options as unknown as Option[]
const options =
  (change: (options: Option[]) => Option[]): Act =>
  (document) =>
    document.commands.setBlockData('c', {
      ...document.projection().blocks.get('c')?.data,
      options: change(optionsOf(document)) as unknown as Json,
    })
const relabel = (id: string, label: string) =>
  options((all) => all.map((option) => (option.id === id ? { ...option, label } : option)))
const connect =
  (groupId: string): Act =>
  ({ commands }) =>
    commands.connect({ blockId: 'c', portId: 'a' }, { groupId })
const disconnect: Act = ({ commands }) => commands.disconnect([{ blockId: 'c', portId: 'a' }])
const variable =
  (change: { name?: string; value?: Json }): Act =>
  ({ commands }) =>
    commands.updateVariable('v', change)

const places = (document: FlowDocument) =>
  Object.fromEntries([...document.projection().groups.values()].map(({ id, blockIds }) => [id, blockIds.join(' ')]))
const placeOf = (document: FlowDocument) => document.projection().blocks.get('n')?.groupId ?? null
const textOf = (document: FlowDocument) =>
  (document.projection().blocks.get('n')?.data.content as unknown as RichText | undefined)
    ?.flatMap(({ children }) => children.map(({ text }) => text))
    .join('') ?? null
const labels = (document: FlowDocument) => optionsOf(document).map(({ id, label }) => `${id}: ${label}`)
const ids = (document: FlowDocument) =>
  optionsOf(document)
    .map(({ id }) => id)
    .join('')
const target = (document: FlowDocument) => document.projection().edges.get('c/a')?.to.groupId ?? null
const variables = (document: FlowDocument) => document.projection().variables.map(({ name, value }) => [name, value])
const title = (document: FlowDocument) => document.projection().groups.get('h')?.title ?? null
const position = (document: FlowDocument) => document.projection().groups.get('h')?.position ?? null

const pairs: Pair[] = [
  {
    name: 'move a block | move it elsewhere: one of the two places, never two blocks',
    one: move('h'),
    two: move('i'),
    look: places,
    gives: [
      { g: 'c', h: 'n m', i: '' },
      { g: 'c', h: 'm', i: 'n' },
    ],
  },
  {
    name: 'move a block | type into it: both',
    one: move('h'),
    two: type('!'),
    look: (d) => [placeOf(d), textOf(d)],
    gives: [['h', 'Hello!']],
    undone: [['g', 'Hello!']],
  },
  {
    name: 'delete a block | move it: deleted; undo: where it was moved to',
    one: deleteBlock,
    two: move('i'),
    look: placeOf,
    gives: [null],
    undone: ['i'],
  },
  {
    name: 'delete a block | type into it: deleted; undo: with what was typed',
    one: deleteBlock,
    two: type(' you'),
    look: textOf,
    gives: [null],
    undone: ['Hello you'],
  },
  {
    name: 'delete a block | replace its text: deleted; undo: with the new text',
    one: deleteBlock,
    two: ({ commands }) => commands.setRichText('n', 'content', [{ type: 'paragraph', children: [{ text: 'New' }] }]),
    look: textOf,
    gives: [null],
    undone: ['New'],
  },
  {
    name: 'delete a block | delete it: deleted; the undo of either brings it back',
    one: deleteBlock,
    two: deleteBlock,
    look: placeOf,
    gives: [null],
    undone: ['g'],
  },
  {
    name: 'delete a block | connect to it: no edge to nothing; undo: the edge too',
    one: ({ commands }) => commands.deleteBlocks(['m']),
    two: ({ commands }) => commands.connect({ blockId: 'c', portId: 'a' }, { groupId: 'h', blockId: 'm' }),
    look: (d) => [target(d), places(d).h],
    gives: [[null, '']],
    undone: [['h', 'm']],
  },
  {
    name: 'delete a block | connect from it: no edge from nothing; undo: the edge too',
    one: ({ commands }) => commands.deleteBlocks(['c']),
    two: connect('i'),
    look: target,
    gives: [null],
    undone: ['i'],
  },
  {
    name: 'delete a block | delete its group: both gone; undo of the block: still with its group',
    one: ({ commands }) => commands.deleteBlocks(['m']),
    two: deleteGroup,
    look: (d) => d.projection().blocks.has('m'),
    gives: [false],
    undone: [false],
  },
  {
    name: 'type at one place | type there: both, each in one piece',
    one: type('AAA'),
    two: type('BBB'),
    look: textOf,
    gives: ['HelloAAABBB', 'HelloBBBAAA'],
    undone: ['HelloBBB'],
  },
  {
    name: 'delete a group | move a block into it: gone with it; undo: both',
    one: deleteGroup,
    two: move('h'),
    look: (d) => [title(d), placeOf(d)],
    gives: [[null, null]],
    undone: [['Group h', 'h']],
  },
  {
    name: 'delete a group | add a block to it: gone with it; undo: both',
    one: deleteGroup,
    two: ({ commands }) => commands.addBlock('h', 9, noteBlock('new')),
    look: (d) => places(d).h ?? null,
    gives: [null],
    undone: ['m new'],
  },
  {
    name: 'delete a group | move a block out of it: the block stays',
    one: deleteGroup,
    two: move('i', 'm'),
    look: places,
    gives: [{ g: 'n c', i: 'm' }],
    undone: [{ g: 'n c', h: '', i: 'm' }],
  },
  {
    name: 'delete a group | rename and drag it: deleted; undo: as renamed and dragged',
    one: deleteGroup,
    two: ({ commands }) =>
      commands.batch(() => {
        commands.setGroupTitle('h', 'New')
        commands.moveGroups([{ groupId: 'h', position: { x: 5, y: 5 } }])
      }),
    look: (d) => [title(d), position(d)],
    gives: [[null, null]],
    undone: [['New', { x: 5, y: 5 }]],
  },
  {
    name: 'delete a group | connect to it: no edge to nothing; undo: the edge too',
    one: ({ commands }) => commands.deleteGroups(['i']),
    two: connect('i'),
    look: target,
    gives: [null],
    undone: ['i'],
  },
  {
    name: 'delete a group | delete it: gone; the undo of either brings it back',
    one: deleteGroup,
    two: deleteGroup,
    look: title,
    gives: [null],
    undone: ['Group h'],
  },
  {
    name: 'drag a group | drag it: one of the two places',
    one: ({ commands }) => commands.moveGroups([{ groupId: 'h', position: { x: 1, y: 2 } }]),
    two: ({ commands }) => commands.moveGroups([{ groupId: 'h', position: { x: 3, y: 4 } }]),
    look: position,
    gives: [
      { x: 1, y: 2 },
      { x: 3, y: 4 },
    ],
  },
  {
    name: 'rename a group | drag it: both',
    one: ({ commands }) => commands.setGroupTitle('h', 'New'),
    two: ({ commands }) => commands.moveGroups([{ groupId: 'h', position: { x: 3, y: 4 } }]),
    look: (d) => [title(d), position(d)?.x],
    gives: [['New', 3]],
    undone: [['Group h', 3]],
  },
  {
    name: 'rename a group | rename it: one of the two names',
    one: ({ commands }) => commands.setGroupTitle('h', 'One'),
    two: ({ commands }) => commands.setGroupTitle('h', 'Two'),
    look: title,
    gives: ['One', 'Two'],
  },
  {
    name: 'rename an option | rename another: both',
    one: relabel('a', 'One'),
    two: relabel('b', 'Two'),
    look: labels,
    gives: [['a: One', 'b: Two']],
    undone: [['a: Label a', 'b: Two']],
  },
  {
    name: 'rename an option | rename it: one of the two',
    one: relabel('a', 'One'),
    two: relabel('a', 'Two'),
    look: labels,
    gives: [
      ['a: One', 'b: Label b'],
      ['a: Two', 'b: Label b'],
    ],
  },
  {
    name: 'delete an option | rename and reorder it: deleted; undo: as renamed',
    one: options((all) => all.filter(({ id }) => id !== 'b')),
    two: options(([a, b]) => [{ ...b, label: 'New' } as Option, a as Option]),
    look: (d) => labels(d).sort(),
    gives: [['a: Label a']],
    undone: [['a: Label a', 'b: New']],
  },
  {
    name: 'add an option | add another: both',
    one: options((all) => [...all, { id: 'x', label: 'X' }]),
    two: options((all) => [...all, { id: 'y', label: 'Y' }]),
    look: ids,
    gives: ['abxy', 'abyx'],
    undone: ['aby'],
  },
  {
    name: 'reorder options | rename one: both',
    one: options((all) => [...all].reverse()),
    two: relabel('a', 'New'),
    look: labels,
    gives: [['b: Label b', 'a: New']],
    undone: [['a: New', 'b: Label b']],
  },
  {
    name: 'reorder options | add one: both',
    one: options((all) => [...all].reverse()),
    two: options((all) => [...all, { id: 'x', label: 'X' }]),
    look: (d) => [...ids(d)].sort().join(''),
    gives: ['abx'],
  },
  {
    name: 'delete an option | connect from it: the edge waits for the undo',
    one: options((all) => all.filter(({ id }) => id !== 'a')),
    two: connect('i'),
    look: (d) => [ids(d), target(d)],
    gives: [['b', 'i']],
    undone: [['ab', 'i']],
  },
  {
    name: 'connect a port | connect it elsewhere: one of the two',
    one: connect('i'),
    two: connect('g'),
    look: target,
    gives: ['i', 'g'],
  },
  {
    name: 'disconnect a port | connect it elsewhere: the new edge stays',
    one: disconnect,
    two: connect('i'),
    look: target,
    gives: ['i'],
    undone: ['i'],
  },
  {
    name: 'disconnect a port | disconnect it: gone; the undo of either brings it back',
    one: disconnect,
    two: disconnect,
    look: target,
    gives: [null],
    undone: ['h'],
  },
  {
    name: 'rename a variable | give it a value: both',
    one: variable({ name: 'City' }),
    two: variable({ value: 7 }),
    look: variables,
    gives: [[['City', 7]]],
    undone: [[['Name', 7]]],
  },
  {
    name: 'rename a variable | rename it: one of the two names',
    one: variable({ name: 'One' }),
    two: variable({ name: 'Two' }),
    look: variables,
    gives: [[['One', null]], [['Two', null]]],
  },
  {
    name: 'delete a variable | rename it, give it a value: deleted; undo: as renamed',
    one: ({ commands }) => commands.deleteVariable('v'),
    two: variable({ name: 'City', value: 7 }),
    look: variables,
    gives: [[]],
    undone: [[['City', 7]]],
  },
  {
    name: 'delete a variable | delete it: gone; the undo of either brings it back',
    one: ({ commands }) => commands.deleteVariable('v'),
    two: ({ commands }) => commands.deleteVariable('v'),
    look: variables,
    gives: [[]],
    undone: [[['Name', null]]],
  },
  {
    name: 'make a variable | make one of that name: both, and the server gives one a number',
    one: ({ commands }) => commands.addVariable({ id: 'x', name: 'New', value: 1 }),
    two: ({ commands }) => commands.addVariable({ id: 'y', name: 'New', value: 2 }),
    look: (d) => variables(d).slice(1),
    gives: [
      [
        ['New', 1],
        ['New', 2],
      ],
    ],
    undone: [[['New', 2]]],
  },
  {
    name: 'add a block | add one at the same place: both',
    one: ({ commands }) => commands.addBlock('h', 1, noteBlock('x')),
    two: ({ commands }) => commands.addBlock('h', 1, noteBlock('y')),
    look: (d) => places(d).h,
    gives: ['m x y'],
    undone: ['m y'],
  },
  {
    name: 'restore an older version | edit what it keeps: both',
    one: ({ commands }) => commands.replaceFlow({ ...flow, variables: [] }),
    two: (d) => {
      type('!')(d)
      variable({ value: 1 })(d)
    },
    look: (d) => [textOf(d), variables(d)],
    gives: [['Hello!', []]],
    undone: [['Hello!', [['Name', 1]]]],
  },
]

test.each(
  pairs.flatMap((pair) => [
    { ...pair, first: 'one' },
    { ...pair, first: 'two' },
  ]),
)('$name ($first first)', ({ one, two, look, gives, undone, first }) => {
  const mine = documentOf(flow)
  const theirs = replica(mine)
  // the higher client id decides where the later edit wins: both cases are tried
  mine.doc.clientID = first === 'one' ? 1 : 2
  theirs.doc.clientID = first === 'one' ? 2 : 1
  one(mine)
  two(theirs)
  if (first === 'one') sync(mine, theirs)
  else sync(theirs, mine)
  expect(theirs.toFlow()).toEqual(mine.toFlow())
  expect(gives).toContainEqual(look(mine))
  if (!undone) return
  mine.undo.undo()
  sync(mine, theirs)
  expect(theirs.toFlow()).toEqual(mine.toFlow())
  expect(undone).toContainEqual(look(mine))
})
