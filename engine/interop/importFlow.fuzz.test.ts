import fc from 'fast-check'
import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { drawnFiles, drawnSource } from '../../tests/support/drawnFlows'
import { typebotFiles, typebotSource } from '../../tests/support/typebot'
import { EngineError } from '../errors'
import { serialiseFlow } from '../flow/canonical'
import { createCountingIds } from '../flow/ids'
import { flowSchema } from '../flow/schema'
import { importFlow } from './importFlow'
import { readFile } from './readFile'

const sources = typebotFiles().map(typebotSource)
// Dify files as parsed JSON; parsing YAML has tests of its own
const drawn = [
  ...drawnFiles('dify').map((name) => JSON.stringify(readFile(drawnSource('dify', name)))),
  ...drawnFiles('flowise').map((name) => drawnSource('flowise', name)),
]
const own = sources.map((source) => serialiseFlow(importFlow(source, registry, createCountingIds('new')).flow))

const strange = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    1e300,
    '',
    'start',
    '{{',
    '{{Name}}',
    '\ud800',
    '\0',
    '__proto__',
    [],
    {},
    [[]],
    [null],
  ),
  fc.constantFrom<unknown>('x'.repeat(30_000), Array(200).fill({ id: 'same' }), { richText: [5, { children: 'x' }] }),
  fc.constantFrom<unknown>(JSON.parse('{"__proto__": {"id": 1}, "constructor": 5}'), {
    id: 'hasOwnProperty',
    type: 'toString',
  }),
  fc.jsonValue(),
)
/** Which key to descend into at each level (as a fraction), and what to change there. */
const mutation = fc.record({
  path: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 12 }),
  change: fc.oneof(
    strange.map((value) => ({ do: 'set' as const, value })),
    fc.constant({ do: 'delete' as const, value: undefined }),
    fc.constant({ do: 'copy' as const, value: undefined }),
    fc
      .constantFrom('__proto__', 'constructor', 'id', 'items', 'x'.repeat(5_000))
      .map((value) => ({ do: 'rename' as const, value })),
    // deeper than a file may be, and within the limit
    fc.constantFrom(200, 50).map((value) => ({ do: 'wrap' as const, value })),
  ),
})

/** `npm run test:full` runs twenty times as many. */
const RUNS = process.env.FULL ? 6_000 : 300

type Holder = Record<string, unknown>

function mutate(root: Holder, { path, change }: { path: number[]; change: { do: string; value: unknown } }): void {
  let holder = root
  for (const [depth, share] of path.entries()) {
    const keys = Object.keys(holder)
    const key = keys[Math.floor(share * keys.length)]
    if (key === undefined) return
    const below = holder[key]
    if (depth < path.length - 1 && typeof below === 'object' && below !== null && Object.keys(below).length > 0) {
      holder = below as Holder
      continue
    }
    // a copy, since later mutations may change it
    if (change.do === 'set') holder[key] = JSON.parse(JSON.stringify(change.value))
    else if (change.do === 'delete') delete holder[key]
    else if (change.do === 'rename') {
      Object.defineProperty(holder, String(change.value), {
        value: below,
        enumerable: true,
        configurable: true,
        writable: true,
      })
      if (!Array.isArray(holder)) delete holder[key]
    } else if (change.do === 'wrap')
      holder[key] = JSON.parse(`${'[{"a":'.repeat(Number(change.value) / 2)}1${'}]'.repeat(Number(change.value) / 2)}`)
    else if (Array.isArray(holder)) holder.push(JSON.parse(JSON.stringify(below)))
    return
  }
}

/** Each run gives either a valid flow or one of our errors; for files of other products, only these. */
const REFUSALS = ['IMPORT_UNREADABLE', 'FLOW_TOO_DEEP']

function survives(source: string, isOwn = false): void {
  let flow: ReturnType<typeof importFlow>['flow']
  try {
    flow = importFlow(source, registry, createCountingIds('new')).flow
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    expect(error.detail).toBeTruthy()
    if (!isOwn) expect(REFUSALS).toContain(error.code)
    return
  }
  flowSchema.parse(flow)
  if (!isOwn)
    for (const { kind, data } of flow.groups.flatMap(({ blocks }) => blocks)) registry.get(kind).schema.parse(data)
  const exported = serialiseFlow(flow)
  expect(serialiseFlow(importFlow(exported, registry, createCountingIds('other')).flow)).toBe(exported)
}

test.each([
  ["Typebot's", sources, 2],
  ["Dify's and Flowise's", drawn, 5],
  ['our own', own, 3],
])('%s files with anything anywhere are imported or refused in words', (_, files, seed) => {
  const property = fc.property(
    fc.nat(files.length - 1),
    fc.array(mutation, { minLength: 1, maxLength: 8 }),
    (index, mutations) => {
      const file = JSON.parse(files[index] ?? '{}')
      for (const each of mutations) mutate(file, each)
      survives(JSON.stringify(file), files === own)
    },
  )
  fc.assert(property, { seed, numRuns: RUNS })
})

test('texts cut or changed anywhere are imported or refused in words', () => {
  const property = fc.property(
    fc.nat(sources.length - 1),
    fc.nat(),
    fc.string({ maxLength: 3 }),
    fc.boolean(),
    (index, at, text, cut) => {
      const source = sources[index] ?? ''
      const place = at % source.length
      survives(source.slice(0, place) + text + (cut ? '' : source.slice(place + 1)))
    },
  )
  fc.assert(property, { seed: 4, numRuns: RUNS })
})
