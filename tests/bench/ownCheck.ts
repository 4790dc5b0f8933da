import type * as Y from 'yjs'
import { registry } from '../../blocks/registry'
import { createChecker } from '../../engine/check/createChecker'
import { createDocument } from '../../engine/document/createDocument'
import type { Json } from '../../engine/values/json'
import { largeFlow } from '../support/largeFlow'

/**
 * Issue 3, the checker: a flow of 1,000 groups is checked again after one edit in less than 5 ms. An edit is made and projected, then
 * the check alone is timed. check.bench.ts bundles this as the interface is bundled: vitest's own modules look each import up at each
 * use, which a pass over the graph feels.
 */
const TIMES = 100
const document = createDocument({ registry })
document.commands.replaceFlow(largeFlow(1_000))
document.undo.destroy()
const { groups, blocks, edges } = document.projection()
let n = 0

const edits: Record<string, () => void> = {
  'text typed': () => {
    const text = document.text('g500b1', 'content') as Y.XmlText
    const [{ insert }] = text.toDelta() as [{ insert: Y.XmlText }]
    document.doc.transact(() => insert.insert(0, String(++n % 10)), document.typingOrigin)
  },
  'option renamed': () => {
    const data = document.projection().blocks.get('g503b4')?.data as { options: Json[] }
    const label = { type: 'static', value: `yes ${++n}` }
    document.commands.setBlockData('g503b4', { ...data, options: [{ id: 'yes', label }, ...data.options.slice(1)] })
  },
  'group moved': () => document.commands.moveGroups([{ groupId: 'g500', position: { x: ++n, y: 0 } }]),
  'block moved': () => document.commands.moveBlock('g500b1', { groupId: `g${++n % 2 ? 501 : 500}`, index: 1 }),
  'edge removed or added': () => {
    const from = { blockId: 'g503b4', portId: 'no' }
    if (++n % 2) document.commands.disconnect([from])
    else document.commands.connect(from, { groupId: 'g506' })
  },
  'variable renamed': () => document.commands.updateVariable('v3', { name: `Name ${++n}` }),
  'variable in use given a value': () => {
    document.commands.updateVariable('v4', { value: ++n % 2 ? '' : null })
  },
  'variable added or deleted': () => {
    if (++n % 2) document.commands.addVariable({ id: 'new', name: 'New', value: null })
    else document.commands.deleteVariable('new')
  },
  'group deleted and added': () => {
    if (++n % 2) document.commands.deleteGroups(['g700'])
    else document.commands.addGroup({ id: 'g700', title: '', position: { x: 0, y: 0 }, blocks: [] })
  },
}

/** Milliseconds that a run took, many times. */
function measure(times: number, prepare: () => void, run: () => void): number[] {
  return Array.from({ length: times }, () => {
    prepare()
    const from = performance.now()
    run()
    return performance.now() - from
  })
}

function print(name: string, took: number[]): void {
  const sorted = took.toSorted((a, b) => a - b)
  const at = (share: number) => `${(sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(2)} ms`
  console.info(`${name.padEnd(28)} p50 ${at(0.5)}, p95 ${at(0.95)}, most ${at(1)}`)
}

/** Prints how long a first check and checks after edits take. */
export function measureChecks(): void {
  console.info(`${groups.size} groups, ${blocks.size} blocks, ${edges.size} edges`)
  const nothing = () => undefined
  const first = () => void createChecker(registry).check(document.projection())
  print('the whole flow', measure(20, nothing, first))
  const checker = createChecker(registry)
  const found = checker.check(document.projection()).length
  for (const [name, edit] of Object.entries(edits)) {
    const prepare = () => {
      edit()
      document.projection()
    }
    const again = () => void checker.check(document.projection())
    print(name, measure(TIMES, prepare, again))
  }
  console.info(`${found} diagnostics`)
}
