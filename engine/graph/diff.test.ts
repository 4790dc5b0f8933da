import { describe, expect, test } from 'vitest'
import { canonicalFlow } from '../flow/canonical'
import { type Block, emptyFlow, type Flow } from '../flow/schema'
import { countGroups, diffFlows, edgeId, type FlowDiff, type ItemDiff, isLayoutOnly } from './diff'
import { fieldChanges } from './fieldChanges'
import { unionOf } from './union'
import { wordDiff } from './wordDiff'

const block = (id: string, text = id): Block => ({ id, kind: 'text', version: 0, data: { text } })
const group = (id: string, ...blocks: Block[]) => ({ id, title: id, position: { x: 0, y: 0 }, blocks })
const flow = (...groups: Flow['groups']): Flow => ({ ...emptyFlow(), groups })
const changes = (items: ItemDiff<unknown>[]) => Object.fromEntries(items.map(({ id, change }) => [id, change]))

/** Applies or reverts a diff, independently of how it was computed. */
function apply(from: Flow, diff: FlowDiff, side: 'before' | 'after'): Flow {
  const put = <Item>(items: [string, Item][], changed: ItemDiff<Item>[]) => {
    const all = new Map(items)
    for (const item of changed) {
      const next = item[side]
      if (next === null) all.delete(item.id)
      else all.set(item.id, next)
    }
    return all
  }
  const heads = put(
    from.groups.map(({ blocks, ...head }) => [head.id, { ...head, blockIds: blocks.map(({ id }) => id) }]),
    diff.groups,
  )
  const blocks = put(
    from.groups
      .flatMap((one) => one.blocks.map((item) => [item.id, { ...item, groupId: one.id }] as const))
      .map(([id, item]) => [id, item] as [string, typeof item]),
    diff.blocks,
  )
  return canonicalFlow({
    ...emptyFlow(),
    groups: [...heads.values()].map(({ blockIds, ...head }) => ({
      ...head,
      blocks: blockIds.map((id) => {
        const { groupId, ...found } = blocks.get(id) as Block & { groupId: string }
        expect(groupId).toBe(head.id)
        return found
      }),
    })),
    edges: [
      ...put(
        from.edges.map((edge) => [edgeId(edge), edge]),
        diff.edges,
      ).values(),
    ],
    variables: [
      ...put(
        from.variables.map((item) => [item.id, item]),
        diff.variables,
      ).values(),
    ],
  })
}

/** mulberry32 */
function seeded(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below)
  }
}

function randomFlow(random: (below: number) => number): Flow {
  const ids = Array.from({ length: 6 }, (_, at) => `g${at}`).filter(() => random(4) > 0)
  const homes = new Map<string, Block[]>(ids.map((id) => [id, []]))
  const blocks = Array.from({ length: 14 }, (_, at) => `b${at}`).filter(() => random(4) > 0)
  for (const id of blocks.sort(() => random(3) - 1)) {
    homes.get(ids[random(ids.length)] ?? '')?.push(block(id, `says ${random(3)}`))
  }
  const placed = [...homes.values()].flat()
  return canonicalFlow({
    ...emptyFlow(),
    groups: [...homes].map(([id, of]) => ({
      ...group(id, ...of),
      title: `t${random(2)}`,
      position: { x: random(2), y: 0 },
    })),
    edges: placed
      .filter(() => random(2) > 0)
      .map(({ id }) => ({
        from: { blockId: id, portId: 'next' },
        to: { groupId: ids[random(ids.length)] ?? '' },
      })),
    variables: ['v0', 'v1', 'v2']
      .filter(() => random(3) > 0)
      .map((id) => ({ id, name: `n${random(3)}`, value: random(2) })),
  })
}

describe('a diff of two flows', () => {
  test('of a flow and itself is empty, whatever the order of keys', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const one = randomFlow(seeded(seed))
      const again = JSON.parse(JSON.stringify(one), (_, value) =>
        value && typeof value === 'object' && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).reverse())
          : value,
      )
      expect(diffFlows(one, again)).toEqual({ groups: [], blocks: [], edges: [], variables: [] })
    }
  })

  test('leads from the first to the second, and back', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = seeded(seed)
      const [a, b] = [randomFlow(random), randomFlow(random)]
      const diff = diffFlows(a, b)
      const plain = (one: Flow) => ({ ...one, variables: [...one.variables].sort((x, y) => (x.id < y.id ? -1 : 1)) })
      expect(plain(apply(a, diff, 'after')), `seed ${seed}`).toEqual(plain(b))
      expect(plain(apply(b, diff, 'before')), `seed ${seed}`).toEqual(plain(a))
    }
  })

  test('tells what was added, removed, changed and moved', () => {
    const before = flow(group('a', block('1'), block('2'), block('3')), group('b', block('4')), group('c'))
    const after = flow(
      { ...group('a', block('2'), block('3', 'other'), block('5')), title: 'A' },
      { ...group('b', block('1'), block('4')), position: { x: 5, y: 0 } },
      group('d'),
    )
    const diff = diffFlows(before, after)
    expect(changes(diff.groups)).toEqual({ a: 'changed', b: 'changed', c: 'removed', d: 'added' })
    expect(changes(diff.blocks)).toEqual({ 1: 'moved', 3: 'changed', 5: 'added' })
    expect(countGroups(diff, before, after)).toEqual({ added: 1, removed: 1, changed: 2, moved: 0 })
  })

  test('of places on the canvas alone is layout, and no change of a group', () => {
    const before = flow(group('a', block('1')))
    const after = flow({ ...group('a', block('1')), position: { x: 5, y: 5 } })
    const diff = diffFlows(before, after)
    expect(isLayoutOnly(diff)).toBe(true)
    expect(countGroups(diff, before, after)).toEqual({ added: 0, removed: 0, changed: 0, moved: 1 })
    expect(isLayoutOnly(diffFlows(before, flow(group('a', block('1', 'x')))))).toBe(false)
  })

  test('of one block taken past the others names that one alone', () => {
    const ids = Array.from({ length: 9 }, (_, at) => `${at}`)
    const [first = '', ...rest] = ids
    const diff = diffFlows(
      flow(group('a', ...ids.map((id) => block(id)))),
      flow(group('a', ...[...rest, first].map((id) => block(id)))),
    )
    expect(changes(diff.blocks)).toEqual({ 0: 'moved' })
  })

  test('an edge to elsewhere is a change of its port, and of the group that it leaves', () => {
    const edge = (to: string) => ({ from: { blockId: '1', portId: 'next' }, to: { groupId: to } })
    const groups = [group('a', block('1')), group('b'), group('c')]
    const [before, after] = [
      { ...flow(...groups), edges: [edge('b')] },
      { ...flow(...groups), edges: [edge('c')] },
    ]
    const diff = diffFlows(before, after)
    expect(changes(diff.edges)).toEqual({ '1/next': 'changed' })
    expect(countGroups(diff, before, after).changed).toBe(1)
  })
})

describe('both flows as one', () => {
  test('holds everything of both once, what is gone where it stood', () => {
    const before = flow(group('a', block('1'), block('2'), block('3')), group('gone', block('4'), block('5')))
    const after = flow(group('a', block('3'), block('4')))
    const union = unionOf(before, after)
    expect(union.groups.map(({ id, blocks }) => [id, blocks.map((one) => one.id)])).toEqual([
      ['a', ['1', '2', '3', '4']],
      ['gone', ['5']],
    ])
  })

  test('has no id twice, for any two flows', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const random = seeded(seed)
      const [a, b] = [randomFlow(random), randomFlow(random)]
      const union = unionOf(a, b)
      const ids = union.groups.flatMap(({ id, blocks }) => [id, ...blocks.map((one) => one.id)])
      expect(new Set(ids).size).toBe(ids.length)
      const all = new Set(
        [a, b].flatMap(({ groups }) => groups.flatMap(({ id, blocks }) => [id, ...blocks.map((one) => one.id)])),
      )
      expect(new Set(ids)).toEqual(all)
      expect(new Set(union.edges.map(edgeId)).size).toBe(union.edges.length)
    }
  })
})

describe('changes of fields', () => {
  test('are told leaf by leaf, items of lists by their ids', () => {
    const before = {
      prompt: 'Hi',
      options: [
        { id: 'a', label: 'One' },
        { id: 'b', label: 'Two' },
      ],
      deep: { x: 1 },
    }
    const after = {
      prompt: 'Hi',
      options: [
        { id: 'b', label: 'Deux' },
        { id: 'c', label: 'Three' },
      ],
      deep: { x: 2 },
    }
    expect(fieldChanges(before, after)).toEqual([
      { path: ['options', 1, 'label'], before: 'Two', after: 'Deux' },
      { path: ['options', 2, 'label'], before: undefined, after: 'Three' },
      { path: ['options', 1, 'label'], before: 'One', after: undefined },
      { path: ['deep', 'x'], before: 1, after: 2 },
    ])
  })

  test('another order of a list is one change', () => {
    const [a, b] = [{ id: 'a' }, { id: 'b' }]
    expect(fieldChanges({ list: [a, b] }, { list: [b, a] })).toMatchObject([{ path: ['list'], reordered: true }])
  })

  test('a rich text is one field, and a value may take the place of fields', () => {
    const rich = (text: string) => [{ type: 'paragraph', children: [{ text }] }]
    expect(fieldChanges({ text: rich('a') }, { text: rich('b') })).toHaveLength(1)
    expect(fieldChanges({ x: { y: 1 } }, { x: 'word' })).toEqual([{ path: ['x'], before: { y: 1 }, after: 'word' }])
    expect(fieldChanges({ x: null }, { x: { y: 1 } })).toEqual([{ path: ['x', 'y'], before: undefined, after: 1 }])
    expect(fieldChanges({ x: [1, 2] }, { x: [1] })).toEqual([{ path: ['x'], before: [1, 2], after: [1] }])
  })
})

describe('a diff of words', () => {
  test('shows the words that were put in and taken out', () => {
    expect(wordDiff('Hello dear friend!', 'Hello my friend!')).toEqual([
      { text: 'Hello ', change: 'same' },
      { text: 'dear', change: 'removed' },
      { text: 'my', change: 'added' },
      { text: ' friend!', change: 'same' },
    ])
    expect(wordDiff('', 'x')).toEqual([{ text: 'x', change: 'added' }])
    expect(wordDiff('你好吗', '你们好')).toContainEqual({ text: '好', change: 'same' })
  })

  test('gives both texts again, however long', () => {
    const random = seeded(7)
    const text = (words: number) =>
      Array.from({ length: words }, () => `w${random(5)}${random(9) ? ' ' : '\n'}`).join('')
    for (const words of [0, 1, 5, 30, 2_000]) {
      const [a, b] = [text(words), text(words)]
      const parts = wordDiff(a, b)
      const without = (change: string) =>
        parts
          .filter((part) => part.change !== change)
          .map((part) => part.text)
          .join('')
      expect([without('added'), without('removed')]).toEqual([a, b])
    }
  })
})
