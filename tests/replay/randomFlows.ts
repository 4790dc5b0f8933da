import fc from 'fast-check'
import { z } from 'zod'
import { kinds } from '../../blocks/kinds'
import { setVariableModes } from '../../blocks/set-variable/schema'
import { defineBlock } from '../../engine/flow/defineBlock'
import type { InputRequest, Reply } from '../../engine/flow/effects'
import { createRegistry } from '../../engine/flow/registry'
import { type Edge, emptyFlow, type Flow } from '../../engine/flow/schema'
import { ask, call, now, random, render, say, setVariable } from '../../engine/flow/steps'
import { comparisonOperators } from '../../engine/values/compare'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { plainRichText, type RichText } from '../../engine/values/richText'

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

const variableIds = ['v0', 'v1', 'v2']
const variableId = fc.constantFrom(...variableIds, 'gone')
const maybeVariable = fc.option(variableId)
const word = fc.constantFrom('', 'yes', 'No', '7', '-1.5', 'a@b.co', 'x'.repeat(30), 'Ünï', '\n')

const dynamicValue: fc.Arbitrary<DynamicValue> = fc.oneof(
  word.map((value): DynamicValue => ({ type: 'static', value })),
  fc
    .array(
      fc.oneof(
        word.map((text) => ({ type: 'text' as const, text })),
        variableId.map((variable_id) => ({ type: 'variable' as const, variable_id })),
      ),
      { maxLength: 3 },
    )
    .map((parts): DynamicValue => ({ type: 'dynamic', parts })),
)
const richText: fc.Arbitrary<RichText> = fc.array(
  fc
    .array(
      fc.oneof(
        word.map((text) => ({ text })),
        variableId.map((id) => ({ text: '' as const, variable: true as const, variable_id: id })),
      ),
      { maxLength: 3 },
    )
    .map((children) => ({ type: 'paragraph' as const, children })),
  { maxLength: 2 },
)
const url = fc.constantFrom<DynamicValue>(
  { type: 'static', value: 'https://a.example' },
  { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'v0' }] },
  { type: 'static', value: 'not an address' },
)
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const input = {
  prompt: richText,
  placeholder: dynamicValue,
  saveTo: maybeVariable,
  required: fc.boolean(),
  retryText: richText,
  attempts: fc.integer({ min: 1, max: 3 }),
}
const items = <T>(item: (id: string) => fc.Arbitrary<T>, max: number) =>
  fc.integer({ min: 0, max }).chain((count) => fc.tuple(...Array.from({ length: count }, (_, n) => item(`i${n}`))))

const GROUPS = 5
const BLOCKS = 4
const groupId = fc.integer({ min: 0, max: GROUPS }).map((n) => `g${n}`)
const blockId = fc
  .tuple(fc.integer({ min: 0, max: GROUPS }), fc.integer({ min: 0, max: BLOCKS }))
  .map(([g, b]) => `b${g}-${b}`)
const target = fc.record({ groupId, blockId: optional(blockId) })

/** Random data for every kind of the registry; some of it not valid. A kind that is missing here fails a test. */
export const randomData: Record<string, fc.Arbitrary<unknown>> = {
  start: fc.constant({}),
  end: fc.constant({}),
  text: fc.record({ content: richText }),
  image: fc.record({ url, alt: dynamicValue, link: url }),
  buttons: fc.record({
    prompt: richText,
    options: items(
      (id) =>
        fc.record({ id: fc.constant(id), label: dynamicValue, value: optional(dynamicValue), url: optional(url) }),
      3,
    ),
    multiple: fc.boolean(),
    typing: fc.boolean(),
    placeholder: dynamicValue,
    saveTo: maybeVariable,
  }),
  'text-input': fc.record({ ...input, long: fc.boolean(), maxLength: fc.integer({ min: 0, max: 8 }) }),
  'email-input': fc.record(input),
  'number-input': fc.record({
    ...input,
    integer: fc.boolean(),
    min: fc.option(fc.integer({ min: -9, max: 9 })),
    max: fc.option(fc.integer({ min: -9, max: 9 })),
  }),
  condition: fc.record({
    branches: items(
      (id) =>
        fc.record({
          id: fc.constant(id),
          match: fc.constantFrom('all', 'any'),
          comparisons: items(
            (inner) =>
              fc.record({
                id: fc.constant(inner),
                variableId: maybeVariable,
                operator: fc.constantFrom(...comparisonOperators),
                value: dynamicValue,
              }),
            2,
          ),
        }),
      3,
    ),
  }),
  'set-variable': fc.record({
    variableId: maybeVariable,
    mode: fc.constantFrom(...setVariableModes),
    value: dynamicValue,
  }),
  'go-to': fc.record({ target: fc.option(target) }),
  placeholder: fc.constant({ product: 'typebot', type: 'x', reason: '', data: null }),
  caller: fc.record({ calls: fc.integer({ min: 0, max: 3 }), saveTo: fc.constantFrom(...variableIds) }),
  faulty: fc.record({ fault: fc.constantFrom('port', 'throw', 'endless', 'ports') }),
  'from-the-future': fc.constant({ anything: 1 }),
}

const block = fc
  .constantFrom(...Object.keys(randomData))
  .chain((kind) => (randomData[kind] ?? fc.constant({})).map((data) => ({ kind, data })))

/** Flows of every kind with loops, edges to nothing, blocks that can't run. The first block of the first group is a start. */
export const randomFlow: fc.Arbitrary<Flow> = fc
  .record({
    groups: fc.array(fc.array(block, { minLength: 0, maxLength: BLOCKS }), { minLength: 1, maxLength: GROUPS }),
    edges: fc.array(
      fc.record({
        blockId,
        portId: fc.constantFrom('next', 'skip', 'invalid', 'default', 'else', 'i0', 'i1', 'odd'),
        to: target,
      }),
      { maxLength: 12 },
    ),
    values: fc.tuple(...variableIds.map(() => fc.constantFrom(null, 'yes', 7, ['a', 'b'], { a: 1 }))),
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

const words = ['yes', 'no', '', '5', '2.5', 'a@b.co', '999999999999', 'x'.repeat(40), '\0\ud800', 'b']

/** A visitor who answers now sensibly, now not; `choices` are what they roll. */
export function randomReply(request: InputRequest, roll: number): Reply {
  if (roll % 7 === 0) return { type: 'skip' }
  if (request.input === 'choice' && roll % 3 !== 0) {
    const ids = request.options.map(({ id }) => id)
    return {
      type: 'choice',
      optionIds: [ids[roll % Math.max(1, ids.length)] ?? 'none', ...(roll % 2 ? ids.slice(0, 1) : [])],
    }
  }
  return { type: 'text', text: words[roll % words.length] ?? '' }
}
