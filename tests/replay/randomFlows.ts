import fc from 'fast-check'
import { z } from 'zod'
import { kinds } from '../../blocks/kinds'
import { defineBlock } from '../../engine/flow/defineBlock'
import type { InputRequest, Reply } from '../../engine/flow/effects'
import { createRegistry } from '../../engine/flow/registry'
import { type Edge, emptyFlow, type Flow } from '../../engine/flow/schema'
import { ask, call, now, random, render, say, setVariable } from '../../engine/flow/steps'
import { plainRichText } from '../../engine/values/richText'
import { blockIds, groupIds, randomDataOf, variableIds, words } from './randomData'

/** A kind for these tests: calls services before and after asking, so that a crash can fall between any two effects. */
export const caller = defineBlock({
  kind: 'caller',
  category: 'other',
  title: 'Caller',
  help: '',
  schema: z.strictObject({ calls: z.int(), saveTo: z.string() }),
  defaults: () => ({ calls: 2, saveTo: 'v0' }),
  ports: () => [{ id: 'next' }, { id: 'odd' }],
  *run({ calls, saveTo }) {
    for (let n = 0; n < calls; n++) {
      const result = yield* call('count', { n })
      yield* setVariable(saveTo, result)
      yield* say(
        plainRichText(
          yield* render({
            type: 'dynamic',
            parts: [
              { type: 'text', text: `call ${n}: ` },
              { type: 'variable', variable_id: saveTo },
            ],
          }),
        ),
      )
      if ((yield* random()) < 0.3) yield* setVariable(saveTo, yield* now())
      const reply = yield* ask({ input: 'text', long: false, placeholder: '', required: false, maxLength: 10 })
      yield* call('after', { reply })
    }
    return (yield* random()) < 0.5 ? 'next' : 'odd'
  },
})

/** Declares one port and leaves by another, throws, or never ends: what a kind with a bug does. */
export const faulty = defineBlock({
  kind: 'faulty',
  category: 'other',
  title: 'Faulty',
  help: '',
  schema: z.strictObject({ fault: z.enum(['port', 'throw', 'endless', 'ports']) }),
  defaults: (): { fault: 'port' | 'throw' | 'endless' | 'ports' } => ({ fault: 'port' }),
  ports: ({ fault }): { id: string }[] => {
    if (fault === 'ports') throw new Error('no ports')
    return [{ id: 'next' }]
  },
  *run({ fault }) {
    if (fault === 'throw') throw new Error('thrown')
    while (fault === 'endless') yield* setVariable('v0', 1)
    return 'undeclared'
  },
})

export const testRegistry = createRegistry([...kinds, caller, faulty])

/** Random data for every kind of the registry, some of it not valid, and for one that it does not have. */
const randomData: Record<string, fc.Arbitrary<unknown>> = {
  ...Object.fromEntries(testRegistry.kinds.map(({ kind, schema }) => [kind, randomDataOf(schema)])),
  'from-the-future': fc.constant({ anything: 1 }),
}
const target = fc.record({
  groupId: fc.constantFrom(...groupIds),
  blockId: fc.option(fc.constantFrom(...blockIds), { nil: undefined }),
})

const block = fc
  .constantFrom(...Object.keys(randomData))
  .chain((kind) => (randomData[kind] ?? fc.constant({})).map((data) => ({ kind, data })))

/** Flows of every kind with loops, edges to nothing, blocks that can't run. The first block of the first group is a start. */
export const randomFlow: fc.Arbitrary<Flow> = fc
  .record({
    groups: fc.array(fc.array(block, { maxLength: 4 }), { minLength: 1, maxLength: groupIds.length - 1 }),
    edges: fc.array(
      fc.record({
        blockId: fc.constantFrom(...blockIds),
        portId: fc.constantFrom('next', 'skip', 'invalid', 'default', 'else', 'i0', 'i1', 'odd'),
        to: target,
      }),
      { maxLength: 12 },
    ),
    values: fc.tuple(
      ...variableIds.map(() => fc.constantFrom(null, 'yes', 7, ['a', 'b'], { a: 1 }, 'x'.repeat(60_000))),
    ),
  })
  .map(({ groups, edges, values }) => ({
    ...emptyFlow(),
    variables: variableIds.map((id, n) => ({ id, name: id, value: values[n] ?? null })),
    groups: groups.map((blocks, g) => ({
      id: `g${g}`,
      title: '',
      position: { x: 0, y: 0 },
      blocks: [...(g === 0 ? [{ kind: 'start', data: {} }] : []), ...blocks].map(({ kind, data }, b) => ({
        id: `b${g}-${b}`,
        kind,
        version: 0,
        data: JSON.parse(JSON.stringify(data)),
      })),
    })),
    edges: edges.map(({ to, ...from }): Edge => ({ from, to })),
  }))

/** A visitor who answers now sensibly, now not, and not always what was asked; `choices` are what they roll. */
export function randomReply(request: InputRequest, roll: number): Reply {
  if (roll % 7 === 0) return { type: 'skip' }
  if (roll % 11 === 0) return { type: 'choice', optionIds: ['none', 'i0', 'i0', '__proto__'] }
  if (request.input === 'choice' && roll % 3 !== 0) {
    const ids = request.options.map(({ id }) => id)
    return {
      type: 'choice',
      optionIds: [ids[roll % Math.max(1, ids.length)] ?? 'none', ...(roll % 2 ? ids.slice(0, 1) : [])],
    }
  }
  return { type: 'text', text: roll % 97 === 0 ? 'é😀'.repeat(7_000) : (words[roll % words.length] ?? '') }
}
