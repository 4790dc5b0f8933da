import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { type CheckOptions, checkFlow, createChecker } from '../../engine/check/createChecker'
import { describeDiagnostic, namesOf } from '../../engine/check/describe'
import { applyRemedy, type Diagnostic } from '../../engine/check/diagnostic'
import { outlineOf } from '../../engine/check/outline'
import { viewOfFlow } from '../../engine/check/view'
import { createDocument } from '../../engine/document/createDocument'
import { createCountingIds } from '../../engine/flow/ids'
import type { Flow } from '../../engine/flow/schema'
import { importFlow } from '../../engine/interop/importFlow'
import { createProgram } from '../../engine/run/program'
import { converse } from '../../engine/run/recording'
import { channelCapabilities } from '../../server/contracts/channels'
import { typebotFiles, typebotSource } from '../support/typebot'
import { randomFlow, randomReply, testRegistry } from './randomFlows'

const SEED = 20261121
/** What was found, in one order, so that two checks can be compared. */
const sorted = (diagnostics: readonly Diagnostic[]) =>
  diagnostics.map((diagnostic) => JSON.stringify(diagnostic)).sort()

test('a check never throws and always has words, whatever the flow holds', () => {
  fc.assert(
    fc.property(randomFlow, randomFlow, fc.boolean(), (flow, second, alone) => {
      const others = alone ? null : [outlineOf('f0', 'Second', second, testRegistry)]
      const options: CheckOptions = { others, channels: alone ? undefined : Object.values(channelCapabilities) }
      const names = namesOf(viewOfFlow(flow), testRegistry, others ?? [])
      for (const diagnostic of checkFlow(flow, testRegistry, options)) {
        expect(describeDiagnostic(diagnostic, names)).not.toMatch(
          /\{\{(block|group|port|variable|path|name|message|field|channel)|undefined/,
        )
        expect(JSON.parse(JSON.stringify(diagnostic))).toEqual(diagnostic)
      }
    }),
    { seed: SEED, numRuns: 400 },
  )
})

test('after any edits a checker that followed them says what a new one says', () => {
  const step = fc.record({ what: fc.nat(10), a: fc.nat(1000), b: fc.nat(1000) })
  fc.assert(
    fc.property(randomFlow, fc.array(step, { minLength: 1, maxLength: 14 }), (flow, steps) => {
      const document = createDocument({ registry: testRegistry })
      document.commands.replaceFlow(flow)
      const checker = createChecker(testRegistry)
      checker.check(document.projection())
      for (const [n, edit] of steps.entries()) {
        editAtRandom(document, edit, n, flow)
        const followed = sorted(checker.check(document.projection()))
        expect(followed).toEqual(sorted(createChecker(testRegistry).check(document.projection())))
      }
      document.destroy()
    }),
    { seed: SEED, numRuns: 250 },
  )
})

/** One of the editor's commands, on something that is there. */
function editAtRandom(
  { commands, projection, undo }: ReturnType<typeof createDocument>,
  { what, a, b }: { what: number; a: number; b: number },
  n: number,
  flow: Flow,
): void {
  const { groups, blocks, edges, variables } = projection()
  const any = <T>(items: Iterable<T>, at: number): T | undefined => {
    const list = [...items]
    return list[at % Math.max(1, list.length)]
  }
  const [group, block, other] = [any(groups.values(), a), any(blocks.values(), b), any(blocks.values(), a)]
  const edge = any(edges.values(), a)
  if (what === 0 && group) commands.moveGroups([{ groupId: group.id, position: { x: b % 7, y: a % 5 } }])
  if (what === 1 && group) commands.deleteGroups([group.id])
  if (what === 2 && block && group) commands.moveBlock(block.id, { groupId: group.id, index: a % 3 })
  if (what === 3 && block) commands.deleteBlocks([block.id])
  if (what === 4 && block && other?.kind === block.kind) commands.setBlockData(block.id, { ...other.data })
  if (what === 5 && edge) commands.disconnect([edge.from])
  if (what === 6 && block && group) {
    const ports = testRegistry.portsOf(block)
    commands.connect({ blockId: block.id, portId: any(ports, a)?.id ?? 'next' }, { groupId: group.id })
  }
  if (what === 7 && variables[0]) commands.deleteVariable(variables[a % variables.length]?.id ?? '')
  if (what === 8) {
    const source = any(flow.groups, a)
    if (source) {
      const blocks = source.blocks.map((one) => ({ ...one, id: `${one.id}-${n}` }))
      commands.addGroup({ id: `new${n}`, title: 'New', position: { x: a % 9, y: 0 }, blocks })
    }
    commands.addVariable({ id: `v${n}`, name: `v ${n}`, value: b % 2 ? 'set' : null })
  }
  if (what === 9) undo.undo()
  const variable = any(variables, a)
  if (what === 10 && variable) commands.updateVariable(variable.id, { value: [null, '', 'set', 10][b % 4] ?? null })
}

test('a remedy puts right what it stands beside, in one step of undo', () => {
  const tried = new Set<string>()
  fc.assert(
    fc.property(randomFlow, fc.nat(50), (flow, at) => {
      const document = createDocument({ registry: testRegistry })
      document.commands.replaceFlow(flow)
      document.undo.clear()
      const check = () => createChecker(testRegistry).check(document.projection())
      // a secret is kept by the project first
      const mendable = check().filter(({ remedy }) => remedy && remedy.commands.length > 0)
      const wrong = mendable[at % Math.max(1, mendable.length)]
      if (wrong?.remedy) {
        tried.add(wrong.remedy.code)
        const before = JSON.stringify(document.toFlow())
        applyRemedy(document.commands, wrong.remedy)
        const key = JSON.stringify([wrong.code, wrong.place, wrong.values])
        expect(check().map(({ code, place, values }) => JSON.stringify([code, place, values]))).not.toContain(key)
        document.undo.undo()
        expect(JSON.stringify(document.toFlow())).toBe(before)
      }
      document.destroy()
    }),
    { seed: SEED, numRuns: 300 },
  )
  expect([...tried].sort()).toEqual(
    expect.arrayContaining(['create-variable', 'delete-block', 'delete-group', 'set-default']),
  )
})

describe.each(typebotFiles())('%s', (file) => {
  test('where a visitor gets to is not called unreachable, and what is surely set is set', () => {
    const { flow } = importFlow(typebotSource(file), registry, createCountingIds('new'))
    const found = checkFlow(flow, registry)
    const unreachable = new Set(
      found.filter(({ code }) => code === 'unreachable-group').map(({ place }) => place.groupId),
    )
    for (let walk = 0; walk < 20; walk++) {
      const { turns } = converse(
        createProgram(flow, registry),
        (request, turn) => (turn > 30 ? null : randomReply(request, walk * 37 + turn)),
        (effect) =>
          effect.type === 'random' ? (walk % 10) / 10 : effect.type === 'now' ? '2026-11-21T00:00:00Z' : { ok: true },
      )
      for (const { trace } of turns) for (const { groupId } of trace) expect(unreachable.has(groupId)).toBe(false)
    }
  })
})
