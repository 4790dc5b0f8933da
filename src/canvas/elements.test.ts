import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { createDocument } from '../../engine/document/createDocument'
import { createCountingIds } from '../../engine/flow/ids'
import { connect, createBlock, deleteSelection, moveBlocks } from './actions'
import { createCanvasStore, nothingSelected } from './canvasStore'
import type { Editor } from './context'
import { createElements, readingOrder } from './elements'
import { type Point, shapeBlock } from './geometry'
import { createScene } from './scene'
import { visitedEdges } from './visited'

function start() {
  const newId = createCountingIds('n')
  const document = createDocument({ registry, ids: newId })
  const editor: Editor = {
    document,
    registry,
    newId,
    readOnly: false,
    store: createCanvasStore(),
    undo: () => {},
    redo: () => {},
  }
  const group = (id: string, x: number, ...kinds: string[]) => {
    const blocks = kinds.map((kind) => createBlock(editor, kind))
    document.commands.addGroup({ id, title: id, position: { x, y: 0 }, blocks })
    return blocks.map((block) => block.id)
  }
  const scene = createScene((block, names) => shapeBlock(block, registry, undefined, names))
  const elements = createElements((view) => view.title)
  const shown = () => {
    scene.update(document.projection())
    return { groups: scene.groups.keys(), edges: scene.edges.keys() }
  }
  const look = { selection: nothingSelected, moving: new Map(), visited: new Set<string>() }
  const groups = () => Object.fromEntries([...document.projection().groups].map(([id, view]) => [id, view.blockIds]))
  return { editor, document, group, elements, scene, shown, look, groups }
}

test('an edit makes one new node; all others are the same objects', () => {
  const { document, group, elements, scene, shown, look } = start()
  group('a', 0, 'text')
  group('b', 400, 'text')
  const before = elements.nodes(scene, shown(), look)
  document.commands.setGroupTitle('b', 'Changed')
  const after = elements.nodes(scene, shown(), look)
  expect(after[0]).toBe(before[0])
  expect(after[1]).not.toBe(before[1])
  expect(after[1]?.handles).toBe(before[1]?.handles)
})

test('a drag moves the node on the screen and not in the document', () => {
  const { document, group, elements, scene, shown, look } = start()
  group('a', 0, 'text')
  elements.nodes(scene, shown(), look)
  const [moved] = elements.nodes(scene, shown(), { ...look, moving: new Map([['a', { x: 99, y: 1 }]]) })
  expect(moved?.position).toEqual({ x: 99, y: 1 })
  expect(document.projection().groups.get('a')?.position).toEqual({ x: 0, y: 0 })
})

test('the line of a dragged group follows it, and every other edge stays the same object', () => {
  const { document, group, elements, scene, shown, look } = start()
  const [a = ''] = group('a', 0, 'text')
  const [b = ''] = group('b', 400, 'text')
  group('c', 800, 'text')
  document.commands.connect({ blockId: a, portId: 'next' }, { groupId: 'b' })
  document.commands.connect({ blockId: b, portId: 'next' }, { groupId: 'c' })
  const edges = (moving: [string, Point][] = []) => {
    const all = elements.edges(scene, shown(), { ...look, moving: new Map(moving) })
    return [a, b].map((id) => all.find((edge) => edge.id === `${id}/next`))
  }
  const [still, line] = edges()
  const [same, followed] = edges([['c', { x: 800, y: 500 }]])
  expect(same).toBe(still)
  expect(followed?.data?.route.at(-1)).toEqual({ x: 798, y: 520 })
  // both ends are dragged: the same line, further down
  const [, carried] = edges([
    ['b', { x: 400, y: 300 }],
    ['c', { x: 800, y: 300 }],
  ])
  expect(carried?.data?.route).toEqual(line?.data?.route.map(({ x, y }) => ({ x, y: y + 300 })))
  expect(edges()).toEqual([still, line])
})

test('every handle of a node is inside its size, so nothing has to be measured', () => {
  const { group, elements, scene, shown, look } = start()
  group('a', 0, ...registry.kinds.map(({ kind }) => kind))
  const [node] = elements.nodes(scene, shown(), look)
  expect(node?.handles?.length).toBeGreaterThan(registry.kinds.length)
  for (const handle of node?.handles ?? []) expect(handle.y + (handle.height ?? 0)).toBeLessThan(node?.height ?? 0)
})

test('an edge from a port that the block no longer has is left out, and one to a moved block follows it', () => {
  const { document, group, elements, scene, shown, look } = start()
  const [from = ''] = group('a', 0, 'text')
  const [first = '', second = ''] = group('b', 400, 'text', 'text')
  group('c', 800)
  document.commands.connect({ blockId: from, portId: 'next' }, { groupId: 'b', blockId: second })
  document.commands.connect({ blockId: first, portId: 'no-such-port' }, { groupId: 'a' })
  document.commands.moveBlock(second, { groupId: 'c', index: 0 })
  elements.nodes(scene, shown(), look)
  const edges = elements.edges(scene, shown(), look)
  expect(edges.map(({ source, target, targetHandle }) => [source, target, targetHandle])).toEqual([
    ['a', 'c', `in/${second}`],
  ])
})

test('Tab goes through the groups as the flow runs: left to right, then down', () => {
  const { document } = start()
  const places = { d: [620, 10], c: [600, -50], a: [0, 300], b: [310, 0] }
  for (const [id, [x = 0, y = 0]] of Object.entries(places))
    document.commands.addGroup({ id, title: id, position: { x, y }, blocks: [] })
  expect(readingOrder(document.projection().groups)).toEqual(['a', 'b', 'c', 'd'])
})

test('blocks dropped further down in their own group land where the line was', () => {
  const { editor, group, groups } = start()
  const [a = '', b = '', c = '', d = ''] = group('g', 0, 'text', 'text', 'text', 'text')
  moveBlocks(editor, [a, b], 'g', 3)
  expect(groups().g).toEqual([c, a, b, d])
})

test('a group goes when its last block is dragged out, unless an edge leads to it', () => {
  const { editor, document, group, groups } = start()
  const [a = ''] = group('a', 0, 'text')
  const [b = ''] = group('b', 400, 'text')
  const [c = ''] = group('c', 800, 'text')
  connect(editor, { blockId: c, portId: 'next' }, { groupId: 'b' })
  moveBlocks(editor, [a], 'c', 0)
  moveBlocks(editor, [b], 'c', 0)
  expect(groups()).toEqual({ b: [], c: [b, a, c] })
  document.undo.undo()
  document.undo.undo()
  expect(groups()).toEqual({ a: [a], b: [b], c: [c] })
})

test('an edge to the first block of a group is an edge to the group', () => {
  const { editor, document, group } = start()
  const [a = ''] = group('a', 0, 'text')
  const [first = '', second = ''] = group('b', 400, 'text', 'text')
  connect(editor, { blockId: a, portId: 'next' }, { groupId: 'b', blockId: first })
  expect(document.projection().edges.get(`${a}/next`)?.to).toEqual({ groupId: 'b' })
  connect(editor, { blockId: a, portId: 'next' }, { groupId: 'b', blockId: second })
  expect(document.projection().edges.get(`${a}/next`)?.to).toEqual({ groupId: 'b', blockId: second })
})

test('deleting the last block of a group deletes the group, and one undo brings both back', () => {
  const { editor, document, group, groups } = start()
  const ids = group('a', 0, 'text', 'text')
  editor.store.setState({ selection: { ...nothingSelected, blocks: new Set(ids) } })
  deleteSelection(editor)
  expect(groups()).toEqual({})
  document.undo.undo()
  expect(groups()).toEqual({ a: ids })
})

test('the path of a test goes over the fallback of a port that leads nowhere itself', () => {
  const { document, group } = start()
  const [ask = ''] = group('a', 0, 'buttons')
  group('b', 400, 'text')
  document.commands.connect({ blockId: ask, portId: 'default' }, { groupId: 'b' })
  const option = registry.get('buttons').ports(document.projection().blocks.get(ask)?.data)[0]?.id ?? ''
  const step = {
    turn: 0,
    flowId: null,
    groupId: 'a',
    blockId: ask,
    kind: 'buttons',
    port: option,
    messages: 0,
    writes: {},
  }
  expect([...visitedEdges(document.projection(), { path: [step] }, registry)]).toEqual([`${ask}/default`])
  expect(visitedEdges(document.projection(), { path: [{ ...step, port: null }] }, registry).size).toBe(0)
})
