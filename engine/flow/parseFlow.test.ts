import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { EngineError } from '../errors'
import { serialiseFlow } from './canonical'
import { defineBlock } from './defineBlock'
import { parseFlow } from './parseFlow'
import { createRegistry } from './registry'
import { type Edge, emptyFlow, type Flow, flowCaps } from './schema'

const renamed = defineBlock({
  kind: 'renamed',
  category: 'other',
  title: '',
  help: '',
  schema: z.strictObject({ now: z.string() }),
  defaults: () => ({ now: '' }),
  migrations: [
    { name: 'Rename', up: ({ before, ...rest }) => ({ ...rest, now: before }) },
    {
      name: 'RefuseBad',
      up: (data) => {
        if (data.now === 'bad') throw new Error('bad')
        return data
      },
    },
  ],
  ports: () => [{ id: 'next' }],
  *run() {
    return 'next'
  },
})
const registry = createRegistry([renamed])

const block = (id: string, kind = 'unknown-kind', data: Flow['groups'][0]['blocks'][0]['data'] = {}, version = 0) => ({
  id,
  kind,
  version,
  data,
})
const group = (id: string, ...blocks: ReturnType<typeof block>[]) => ({
  id,
  title: id,
  position: { x: 0, y: 0 },
  blocks,
})
const flow = (change: Partial<Flow> = {}): Flow => ({
  ...emptyFlow(),
  groups: [group('g', block('a'), block('b')), group('h', block('c'))],
  ...change,
})
const edge = (from: string, portId: string, groupId: string, blockId?: string): Edge => ({
  from: { blockId: from, portId },
  to: blockId ? { groupId, blockId } : { groupId },
})

function failure(source: unknown): EngineError {
  try {
    parseFlow(source, registry)
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
  throw new Error('It was taken.')
}

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('a file that is no flow gives one clear error', () => {
  test.each<[string, unknown, string, RegExp]>([
    ['not JSON', '{"groups": [', 'FLOW_INVALID', /not JSON/],
    ['empty', '', 'FLOW_INVALID', /not JSON/],
    [
      'another format',
      { format: 'else' },
      'FLOW_INVALID',
      /^The flow is not valid\. format: .*“parley-flow”.*and 4 more/,
    ],
    ['null', null, 'FLOW_INVALID', /The file: /],
    ['a number', 5, 'FLOW_INVALID', /The file: /],
    ['a newer format', { ...flow(), version: 2 }, 'FLOW_TOO_NEW', /format version 2/],
    ['an unknown field', { ...flow(), extra: 1 }, 'FLOW_INVALID', /The file: .*extra/],
    [
      'a bad variable',
      flow({ variables: [{ id: 'v', name: 'a{b}', value: null }] }),
      'FLOW_INVALID',
      /variables\[0\] 'v' > name: /,
    ],
    [
      'a long title',
      flow({ groups: [{ ...group('g'), title: 'x'.repeat(101) }] }),
      'FLOW_INVALID',
      /groups\[0\] 'g' > title: /,
    ],
    ['two groups of one id', flow({ groups: [group('g'), group('g')] }), 'FLOW_INVALID', /Two groups have the id 'g'/],
    [
      'two blocks of one id',
      flow({ groups: [group('g', block('a')), group('h', block('a'))] }),
      'FLOW_INVALID',
      /Two blocks/,
    ],
    [
      'a block that is newer',
      flow({ groups: [group('g', block('a', 'renamed', {}, 3))] }),
      'FLOW_TOO_NEW',
      /Block 'a'/,
    ],
    [
      'a migration that fails',
      flow({ groups: [group('g', block('a', 'renamed', { before: 'bad' }))] }),
      'MIGRATION_FAILED',
      /'a' \(renamed\), RefuseBad/,
    ],
    ['nested 5,000 deep as text', nested(5_000), 'FLOW_TOO_DEEP', /64 levels/],
    ['nested 100,000 deep as text', nested(100_000), 'FLOW_TOO_DEEP', /64 levels/],
    [
      'nested 5,000 deep in a block',
      `{"groups":[{"blocks":[{"data":${nested(5_000)}}]}]}`,
      'FLOW_TOO_DEEP',
      /64 levels/,
    ],
    ['nested 5,000 deep as a value', JSON.parse(nested(5_000)), 'FLOW_TOO_DEEP', /64 levels/],
    ['above 20 MB', `"${'x'.repeat(flowCaps.bytes)}"`, 'FLOW_INVALID', /larger than 20 MB/],
  ])('%s', (_name, source, code, message) => {
    const error = failure(source)
    expect(error.code).toBe(code)
    expect(error.message).toMatch(message)
  })

  test('64 levels are taken, 65 are not', () => {
    // the flow, its groups, a group, its blocks, a block and its data are six levels
    const deep = (levels: number) =>
      flow({ groups: [group('g', block('a', 'unknown-kind', { x: JSON.parse(nested(levels)) }))] })
    expect(parseFlow(deep(flowCaps.depth - 5), registry).groups).toHaveLength(1)
    expect(failure(deep(flowCaps.depth - 4)).code).toBe('FLOW_TOO_DEEP')
  })
})

test('blocks of unknown kinds and data that is not finished are kept as they are', () => {
  const blocks = [
    block('a', 'from-the-future', { anything: [1, { deep: true }] }, 7),
    block('b', 'renamed', { odd: 1 }, 2),
  ]
  expect(parseFlow(flow({ groups: [group('g', ...blocks)] }), registry).groups[0]?.blocks).toEqual(blocks)
})

test('stored blocks come to the present version of their kind; what came in stays as it was', () => {
  const source = flow({ groups: [group('g', block('a', 'renamed', { before: 'x' }))] })
  const copy = structuredClone(source)
  expect(parseFlow(source, registry).groups[0]?.blocks[0]).toEqual(block('a', 'renamed', { now: 'x' }, 2))
  expect(source).toEqual(copy)
})

test('edges are repaired by rule, and each repair is told', () => {
  const notes: string[] = []
  const edges = [
    edge('a', 'next', 'g'),
    edge('a', 'next', 'h'),
    edge('gone', 'next', 'g'),
    edge('b', 'x', 'gone'),
    edge('b', 'y', 'g', 'gone'),
    edge('b', 'z', 'g', 'c'),
  ]
  expect(parseFlow(flow({ edges }), registry, (note) => notes.push(note)).edges).toEqual([
    edge('a', 'next', 'h'),
    edge('b', 'z', 'h', 'c'),
  ])
  expect(notes).toHaveLength(5)
  expect(notes[0]).toBe("The edge from port 'next' of block 'a' is there twice; the last was kept.")
})

test('a text is stored without what no database takes', () => {
  const source = flow({
    groups: [{ ...group('g', block('a', 'unknown-kind', { 'k\0': 'x\0y\ud800' })), title: 'a\0' }],
  })
  expect(parseFlow(source, registry).groups[0]).toMatchObject({ title: 'a', blocks: [{ data: { k: 'xy\ufffd' } }] })
})

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,8}$/)
const anyFlow = fc
  .record({
    groups: fc.uniqueArray(
      fc.record({
        id,
        title: fc.string({ maxLength: 100, unit: 'binary' }),
        position: fc.record({ x: fc.double({ noNaN: true, noDefaultInfinity: true }), y: fc.integer() }),
        blocks: fc.array(
          fc.record({
            kind: fc.constantFrom('text', 'unknown-kind'),
            version: fc.nat(3),
            data: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })),
          }),
          { maxLength: 4 },
        ),
      }),
      { selector: (one) => one.id, maxLength: 6 },
    ),
    edges: fc.array(fc.record({ from: fc.tuple(fc.nat(20), id), to: fc.tuple(fc.nat(6), fc.boolean()) }), {
      maxLength: 8,
    }),
    variables: fc.uniqueArray(
      fc.record({ id, name: fc.stringMatching(/^[A-Za-z ]{1,50}$/), value: fc.jsonValue({ maxDepth: 3 }) }),
      { selector: (one) => one.id, maxLength: 4 },
    ),
  })
  .map(({ groups, edges, variables }) => {
    const named = groups.map((one, g) => ({
      ...one,
      blocks: one.blocks.map((b, n) => ({ id: `b${g * 4 + n}`, ...b })),
    }))
    const target = (index: number) => named[index % Math.max(1, named.length)]?.id ?? 'none'
    return {
      ...emptyFlow(),
      groups: named,
      edges: edges.map(({ from: [b, portId], to: [g] }) => ({
        from: { blockId: `b${b}`, portId },
        to: { groupId: target(g) },
      })),
      variables,
    } as Flow
  })

test('export, import, export gives the same bytes, whatever order things came in', () => {
  const property = fc.property(anyFlow, (source) => {
    const text = serialiseFlow(parseFlow(source, registry))
    expect(serialiseFlow(parseFlow(text, registry))).toBe(text)
    expect(parseFlow(text, registry)).toEqual(JSON.parse(text))
    const shuffled = { ...source, groups: source.groups.toReversed() }
    expect(serialiseFlow(parseFlow(shuffled, registry))).toBe(text)
  })
  fc.assert(property, { seed: 20261121, numRuns: 300 })
})

test('system variables are referred to, never defined', () => {
  const value = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'sys_contact_name' }] }
  const block = {
    id: 'b',
    kind: 'set-variable',
    version: 1,
    data: { variableId: 'v', mode: 'set', value, takeTo: null },
  }
  const flow = {
    ...emptyFlow(),
    variables: [{ id: 'v', name: 'contact_name', value: null }],
    groups: [{ id: 'g', title: '', position: { x: 0, y: 0 }, blocks: [block] }],
  }
  expect(parseFlow(flow, registry).groups[0]?.blocks[0]?.data).toEqual(block.data)
  const defined = { ...flow, variables: [{ id: 'sys_contact_name', name: 'Mine', value: null }] }
  expect(() => parseFlow(defined, registry)).toThrow("The variable id 'sys_contact_name' is the system's")
})
