import { expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import { createDocument } from '../../../engine/document/createDocument'
import { createCountingIds } from '../../../engine/flow/ids'
import { type Block, flowCaps } from '../../../engine/flow/schema'
import { plainRichText } from '../../../engine/values/richText'
import { createBlock, deleteSelection } from '../actions'
import { createCanvasStore, select } from '../canvasStore'
import type { Editor } from '../context'
import { type Clip, clipOf, excessOf, fitClip, parseClip } from './clip'
import { duplicateSelection, paste } from './paste'
import { readCarried } from './readCarried'

function start(flowId: string) {
  const newId = createCountingIds(`${flowId}-`)
  const document = createDocument({ registry, ids: newId })
  const store = createCanvasStore()
  const editor: Editor = { document, registry, newId, readOnly: false, store, flowId, undo() {}, redo() {} }
  const add = (id: string, ...blocks: Block[]) =>
    document.commands.addGroup({ id, title: id, position: { x: 0, y: 0 }, blocks })
  const make = (kind: string, data: object = {}): Block => {
    const block = createBlock(editor, kind)
    return { ...block, data: { ...block.data, ...data } as Block['data'] }
  }
  const variable = (id: string, name: string) => document.commands.addVariable({ id, name, value: null })
  const names = () => Object.fromEntries(document.projection().variables.map(({ id, name }) => [name, id]))
  const only = (kind: string) => [...document.projection().blocks.values()].find((block) => block.kind === kind)?.data
  const copy = (...groups: string[]): Clip => {
    const clip = clipOf(editor, new Set(groups), new Set())
    if (!clip) throw new Error('Nothing was copied')
    return parseClip(JSON.parse(JSON.stringify(clip))) ?? clip
  }
  return { editor, document, store, add, make, variable, names, only, copy }
}

const chip = (id: string) => ({
  content: [{ type: 'paragraph', children: [{ text: '', variable: true, variable_id: id }] }],
})
const here = { centre: { x: 0, y: 0 } }

test('a clip carries the variables that its blocks read and set, and no other', () => {
  const { add, make, variable, copy } = start('one')
  variable('v1', 'Name')
  variable('v2', 'Age')
  variable('v3', 'Unused')
  add('a', make('text', chip('v1')), make('text-input', { saveTo: 'v2' }))
  add('b', make('text', chip('v3')))
  expect(copy('a').variables.map(({ name }) => name)).toEqual(['Name', 'Age'])
})

test('in another flow a variable is the one of that name, case aside, else it is made; one undo takes all of it back', () => {
  const from = start('one')
  from.variable('v1', 'Name')
  from.variable('v2', 'Age')
  from.add('a', from.make('text', chip('v1')), from.make('text-input', { saveTo: 'v2' }))
  const into = start('two')
  into.variable('w1', 'name')
  into.variable('v2', 'Another with that id')
  const before = JSON.stringify(into.document.toFlow())
  paste(into.editor, from.copy('a'), 'New', here)
  expect(into.only('text')).toMatchObject(chip('w1'))
  const { Age } = into.names()
  expect(Age).not.toBe('v2')
  expect(into.only('text-input')?.saveTo).toBe(Age)
  into.document.undo.undo()
  expect(JSON.stringify(into.document.toFlow())).toBe(before)
})

test('where it was copied from a variable stays the same one, renamed or not', () => {
  const { editor, document, add, make, variable, names, only, copy } = start('one')
  variable('v1', 'Name')
  add('a', make('text-input', { saveTo: 'v1' }))
  const clip = copy('a')
  document.commands.updateVariable('v1', { name: 'First name' })
  document.commands.deleteGroups(['a'])
  paste(editor, clip, 'New', here)
  expect(names()).toEqual({ 'First name': 'v1' })
  expect(only('text-input')?.saveTo).toBe('v1')
})

test('a copy has ids of its own, keeps the edges among what was copied, and names its own groups in go to', () => {
  const { editor, document, add, make, copy } = start('one')
  const first = make('text')
  add('a', first)
  add('b', make('go-to', { target: { groupId: 'a' } }))
  document.commands.connect({ blockId: first.id, portId: 'next' }, { groupId: 'b' })
  const { clip } = fitClip(copy('a', 'b'), editor, createCountingIds('copy'))
  const [a, b] = clip.groups
  expect(clip.edges).toEqual([{ from: { blockId: a?.blocks[0]?.id, portId: 'next' }, to: { groupId: b?.id } }])
  expect(b?.blocks[0]?.data.target).toEqual({ groupId: a?.id })
})

test('a text that reads like an id of what is copied is left alone', () => {
  const { editor, add, make, copy } = start('one')
  add('hello', make('text', { content: plainRichText('hello') }))
  const { clip } = fitClip(copy('hello'), editor, createCountingIds('copy'))
  expect(clip.groups[0]?.blocks[0]?.data.content).toEqual(plainRichText('hello'))
})

test('a clip that somebody made up takes no edge from a block that is there', () => {
  const { editor, document, add, make, copy } = start('one')
  const first = make('text')
  add('a', first)
  add('b', make('text'))
  document.commands.connect({ blockId: first.id, portId: 'next' }, { groupId: 'b' })
  const clip = { ...copy('b'), edges: [{ from: { blockId: first.id, portId: 'next' }, to: { groupId: 'b' } }] }
  paste(editor, clip, 'New', here)
  expect([...document.projection().edges.values()].map(({ to }) => to)).toEqual([{ groupId: 'b' }])
})

test('what the other flow does not have is kept for the checker; intents are taken off, and that is said', () => {
  const from = start('one')
  const intent = from.make('intent')
  from.add('hears', intent)
  from.add('a', from.make('text-input', { intents: [intent.id] }), from.make('go-to', { target: { groupId: 'hears' } }))
  from.add('b', from.make('go-to', { to: 'flow', flowId: 'booking', outputs: [] }))
  const into = start('two')
  paste(into.editor, from.copy('a', 'b'), 'New', here)
  expect(into.only('text-input')?.intents).toEqual([])
  const all = JSON.stringify(into.document.toFlow())
  for (const kept of ['"target":{"groupId":"hears"}', '"flowId":"booking"']) expect(all).toContain(kept)
  expect(into.store.getState().notice).toMatchObject({ key: 'lostIntents', values: { count: 1 } })
})

test('a block of an unknown kind comes along as it is, with the variables that it names', () => {
  const from = start('one')
  from.variable('v1', 'Name')
  const strange = {
    id: 's',
    kind: 'hologram',
    version: 7,
    data: { beamTo: 'v1', shape: { list: ['x'], intents: ['i'] } },
  }
  from.add('a', strange)
  const into = start('two')
  paste(into.editor, from.copy('a'), 'New', here)
  expect(into.names()).toEqual({ Name: 'v1' })
  const [block] = into.document.projection().blocks.values()
  expect(block).toMatchObject({ kind: 'hologram', version: 7, data: strange.data })
})

test('a block of an unknown kind is deleted only when that is meant', () => {
  const { editor, document, store, add } = start('one')
  add('a', { id: 's', kind: 'hologram', version: 7, data: { deep: [1] } })
  select(store, { groups: ['a'] })
  expect(deleteSelection(editor)).toBe(false)
  expect(store.getState().askDelete).toBe(true)
  expect(document.projection().groups.size).toBe(1)
  deleteSelection(editor, true)
  expect(document.projection().groups.size).toBe(0)
})

test('more than a flow may hold is refused with the count and the cap, and nothing is pasted', () => {
  const { editor, document, store, add, make, copy } = start('one')
  add('a', make('text'))
  const clip = copy('a')
  const variables = Array.from({ length: flowCaps.variables + 1 }, (_, i) => ({
    id: `x${i}`,
    name: `x${i}`,
    value: null,
  }))
  expect(paste(editor, { ...clip, variables }, 'New', here)).toBe(false)
  expect(document.projection().groups.size).toBe(1)
  expect(store.getState().notice).toMatchObject({
    tone: 'error',
    key: 'tooMany-variables',
    values: { count: flowCaps.variables + 1, cap: flowCaps.variables },
  })
  const many = {
    ...clip,
    groups: Array.from({ length: flowCaps.groups }, () => ({
      id: 'g',
      title: '',
      position: { x: 0, y: 0 },
      blocks: [],
    })),
  }
  expect(excessOf(many, document.projection())).toEqual({
    what: 'groups',
    count: flowCaps.groups + 1,
    cap: flowCaps.groups,
  })
})

test('single blocks go into the group under the pointer, behind its selected block; on empty ground they get a group', () => {
  const { editor, document, store, add, make } = start('one')
  const [first, second] = [make('text'), make('text')]
  add('a', first, second)
  const clip = clipOf(editor, new Set(), new Set([first.id]))
  if (!clip) throw new Error('Nothing was copied')
  select(store, { blocks: [first.id] })
  paste(editor, clip, 'New', { pointer: { x: 20, y: 20 } })
  const [pasted] = store.getState().selection.blocks
  expect(document.projection().groups.get('a')?.blockIds).toEqual([first.id, pasted, second.id])
  paste(editor, clip, 'New', { pointer: { x: 900, y: 900 } })
  expect([...document.projection().groups.values()].map(({ title }) => title)).toEqual(['a', 'New'])
})

test('groups pasted twice at one point do not hide each other, and a copy stands beside', () => {
  const { editor, document, store, add, make, copy } = start('one')
  add('a', make('text'))
  const clip = copy('a')
  for (let n = 0; n < 3; n++) paste(editor, clip, 'New', { centre: { x: 700, y: 700 } })
  select(store, { groups: ['a'] })
  duplicateSelection(editor, 'New')
  const places = [...document.projection().groups.values()].map(({ position }) => `${position.x},${position.y}`)
  expect(new Set(places).size).toBe(5)
  expect(places).toContain('40,40')
})

const read = (text: string) => readCarried(text, registry, createCountingIds('n'))

test('a text is a text, and what is almost a piece of a flow is refused with its reason', async () => {
  for (const text of ['Hello', '{ "a": 1 }', '{ broken', '[1]', ''])
    expect(await read(text), text).toEqual({ is: 'text' })
  const { add, make, copy } = start('one')
  add('a', make('text'))
  const clip = JSON.stringify(copy('a'))
  expect(await read(clip)).toMatchObject({ is: 'clip' })
  expect(await read(clip.slice(0, -20))).toMatchObject({ is: 'refused', key: 'broken' })
  expect(await read(clip.replace('"version":1', '"version":2'))).toMatchObject({ is: 'refused', key: 'newerClip' })
  expect(await read(clip.replace('"title":"a"', '"title":7'))).toMatchObject({ is: 'refused', key: 'broken' })
  expect(await read(`{"format":"parley-clip","x":"${'x'.repeat(flowCaps.bytes)}"}`)).toMatchObject({ key: 'tooLarge' })
})

test('what Typebot copies comes in, with what has no kind here in placeholders; other products are named', async () => {
  const groups = [
    {
      id: 'g1',
      title: 'Welcome',
      graphCoordinates: { x: 0, y: 0 },
      blocks: [
        { id: 'b1', type: 'text', content: { richText: [{ type: 'p', children: [{ text: 'Hi {{Name}}' }] }] } },
        { id: 'b2', type: 'no such type', options: {} },
      ],
    },
  ]
  const reading = await read(JSON.stringify({ groups, edges: [], variables: [{ id: 'v', name: 'Name' }] }))
  expect(reading).toMatchObject({ is: 'imported', product: 'Typebot', blocks: 2, kept: 1 })
  expect(reading).toMatchObject({ clip: { groups: [{ title: 'Welcome' }], variables: [{ name: 'Name' }] } })
  const products = [
    [{ nodes: [], connections: {} }, 'n8n'],
    [{ nodes: [{ data: { inputAnchors: [] } }], edges: [] }, 'Flowise, from before its agentflows (V2)'],
    [{ nodes: [], edges: [] }, 'another drawing program'],
  ] as const
  for (const [value, product] of products)
    expect(await read(JSON.stringify(value))).toEqual({ is: 'refused', key: 'otherProduct', values: { product } })
  const agentflow = { nodes: [{ id: 's', data: { name: 'startAgentflow', label: 'Start' } }], edges: [] }
  expect(await read(JSON.stringify(agentflow))).toMatchObject({ is: 'imported', product: 'Flowise', blocks: 2 })
  for (const text of ['{"groups": 5}', '{"groups": []}', '{"rules": ["be kind"]}'])
    expect(await read(text)).toEqual({ is: 'text' })
})

test('an exported flow can be pasted, a chatbot of several flows can not', async () => {
  const { document, add, make } = start('one')
  add('a', make('text'))
  const flow = document.toFlow()
  expect(await read(JSON.stringify(flow))).toMatchObject({ is: 'clip', clip: { groups: [{ id: 'a' }] } })
  const { groups, edges, variables } = flow
  const several = { ...flow, flows: [{ id: 'f', title: 'F', groups, edges, variables }] }
  expect(await read(JSON.stringify(several))).toMatchObject({ is: 'refused', key: 'wholeChatbot' })
})
