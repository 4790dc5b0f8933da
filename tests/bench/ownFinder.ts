import type * as Y from 'yjs'
import { registry } from '../../blocks/registry'
import { createDocument } from '../../engine/document/createDocument'
import { createFlowIndex } from '../../src/canvas/finder/flowIndex'
import { largeFlow } from '../support/largeFlow'

/**
 * Issue 4, the palette: a key typed into the search of a flow of 10,000 groups is answered in less than 30 ms. Beside it what one would
 * write first: every text read from the block, put into small letters and searched with `includes`, neither ranked nor marked.
 * finder.bench.ts bundles this as the interface is bundled.
 */
const GROUPS = 10_000
const SHOWN = 300
const ROUNDS = 20
/** a word of nearly every block, a place that one block speaks of, two words, a slip that nothing matches, a kind */
const searches = ['hello from', 'g7321b1', 'how are', 'grop 99xz', 'condition']

const document = createDocument({ registry })
document.commands.replaceFlow(largeFlow(GROUPS))
document.undo.destroy()

const titles = new Map(registry.kinds.map(({ kind, title }) => [kind, title]))
const newIndex = () =>
  createFlowIndex(
    () => document.projection(),
    registry,
    (kind) => titles.get(kind) ?? kind,
  )

/** The search as it grows with each key. */
const keysOf = (search: string): string[] => Array.from(search, (_, at) => search.slice(0, at + 1))

function timed(run: () => void): number {
  const from = performance.now()
  run()
  return performance.now() - from
}

function print(name: string, took: readonly number[]): void {
  const sorted = took.toSorted((a, b) => a - b)
  const at = (share: number) => `${(sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1)} ms`
  console.info(`${name.padEnd(44)} p50 ${at(0.5)}, p95 ${at(0.95)}, most ${at(1)}`)
}

function scan(search: string): unknown[] {
  const wanted = search.toLowerCase()
  const { groups, blocks } = document.projection()
  return [
    ...[...groups.values()].filter(({ title }) => title.toLowerCase().includes(wanted)),
    ...[...blocks.values()].filter(({ data }) => JSON.stringify(data).toLowerCase().includes(wanted)),
  ]
}

/** Prints how long each key of a search takes. */
export function measureFinder(): void {
  const { groups, blocks } = document.projection()
  console.info(`${groups.size} groups, ${blocks.size} blocks`)
  const find = (index: ReturnType<typeof newIndex>, search: string) => {
    index.groups(search, SHOWN)
    index.blocks(search, SHOWN)
  }
  const keys = searches.flatMap(keysOf)
  print(
    'a scan with includes, a key',
    Array.from({ length: 3 }, () => keys.map((key) => timed(() => scan(key)))).flat(),
  )
  print(
    'the first key of a new index',
    Array.from({ length: 5 }, () => timed(() => find(newIndex(), 'h'))),
  )
  const index = newIndex()
  find(index, 'h')
  print(
    'the index, a key',
    Array.from({ length: ROUNDS }, () => keys.map((key) => timed(() => find(index, key)))).flat(),
  )
  let n = 0
  const edited = () => {
    const text = document.text('g500b1', 'content') as Y.XmlText
    const [{ insert }] = text.toDelta() as [{ insert: Y.XmlText }]
    document.doc.transact(() => insert.insert(0, String(++n % 10)), document.typingOrigin)
    document.projection()
  }
  const afterEdits = Array.from({ length: ROUNDS }, () => {
    edited()
    return timed(() => find(index, 'hello'))
  })
  print('the index, a key after an edit', afterEdits)
}
