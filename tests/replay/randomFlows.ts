import fc from 'fast-check'
import { z } from 'zod'
import { goToSchema } from '../../blocks/go-to/schema'
import { intentSchema } from '../../blocks/intent/schema'
import { kinds } from '../../blocks/kinds'
import type { StartEvent } from '../../engine/flow/conversation'
import { defineBlock } from '../../engine/flow/defineBlock'
import type { InputRequest, Reply } from '../../engine/flow/effects'
import { createRegistry } from '../../engine/flow/registry'
import { type Edge, emptyFlow, type Flow } from '../../engine/flow/schema'
import { ask, call, now, random, render, say, setVariable } from '../../engine/flow/steps'
import type { Classifier } from '../../engine/intents/classifier'
import { createProgram, type Program } from '../../engine/run/program'
import { plainRichText } from '../../engine/values/richText'
import { countEffect, plainEffect } from '../support/effects'
import { blockIds, flowIds, groupIds, randomDataOf, variableIds, words } from './randomData'

const afterEffect = plainEffect('after')

/** A kind for these tests: calls outside before and after asking, so that a crash can fall between any two effects. */
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
      const result = yield* call(countEffect, { n })
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
      yield* call(afterEffect, { reply })
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
// every other intent is looked for at each question, and comes back to it
const intents = randomDataOf(intentSchema) as fc.Arbitrary<object>
randomData.intent = fc.oneof(
  intents,
  intents.map((data) => ({ ...data, global: true, resumes: true })),
)
const target = fc.record({
  groupId: fc.constantFrom(...groupIds),
  blockId: fc.option(fc.constantFrom(...blockIds), { nil: undefined }),
})

/** Kinds that the run loop itself has to do with: a third of the blocks, however many kinds there are. */
const oftener = ['go-to', 'intent', 'wait', 'caller', 'text-input', 'buttons']
const block = fc
  .oneof(
    { weight: 2, arbitrary: fc.constantFrom(...Object.keys(randomData)) },
    { weight: 1, arbitrary: fc.constantFrom(...oftener) },
  )
  .chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      data: randomData[kind] ?? fc.constant({}),
      isOld: fc.nat(9).map((n) => n === 0),
    }),
  )

const goTo = Object.fromEntries(
  Object.entries(goToSchema.shape).map(([field, schema]) => [field, randomDataOf(schema, field)]),
)
/** Enters another flow before all else, in half of the flows. */
const lead = fc.record({
  kind: fc.constant('go-to'),
  data: fc.record({
    ...goTo,
    to: fc.constant('flow'),
    flowId: fc.constantFrom(...flowIds),
  }),
  isOld: fc.constant(false),
})
/** Flows of every kind with loops, edges to nothing, blocks that can't run. The first block of the first group is a start. */
export const randomFlow: fc.Arbitrary<Flow> = fc
  .record({
    lead: fc.option(lead, { freq: 2 }),
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
  .map(({ lead, groups, edges, values }) => ({
    ...emptyFlow(),
    variables: variableIds.map((id, n) => ({ id, name: id, value: values[n] ?? null })),
    groups: groups.map((blocks, g) => ({
      id: `g${g}`,
      title: '',
      position: { x: 0, y: 0 },
      blocks: [...(g === 0 ? [{ kind: 'start', data: {}, isOld: false }, ...(lead ? [lead] : [])] : []), ...blocks].map(
        ({ kind, data, isOld }, b) => ({
          id: `b${g}-${b}`,
          kind,
          version: isOld ? 0 : (testRegistry.find(kind)?.migrations.length ?? 0),
          data: JSON.parse(JSON.stringify(data)),
        }),
      ),
    })),
    edges: edges.map(({ to, ...from }): Edge => ({ from, to })),
  }))

/** Fits a text to a dozen blocks that depend on it: some are intents, most are not, some are in no flow. */
const classify: Classifier = (text) =>
  blockIds
    .map((blockId, at) => ({ blockId, confidence: ((text.length * 7 + at * 11) % 31) / 31 }))
    .filter(({ confidence }) => confidence > 0.6)
    .sort((a, b) => b.confidence - a.confidence)

/** A random flow with two others that it may enter and that may enter each other and themselves, all with the same ids. */
export const randomProgram: fc.Arbitrary<Program> = fc
  .tuple(randomFlow, ...flowIds.map(() => randomFlow), fc.boolean())
  .map((parts) => {
    const [main, ...rest] = parts as [Flow, ...(Flow | boolean)[]]
    const flows = Object.fromEntries(flowIds.map((id, at) => [id, rest[at] as Flow]))
    return createProgram(main, testRegistry, { flows, classify: rest.at(-1) === true ? classify : null })
  })

/** How conversations begin: mostly plainly. */
export const randomStart: fc.Arbitrary<StartEvent> = fc.record(
  {
    type: fc.constant('start' as const),
    url: fc.constantFrom('https://a.example', 'https://a.example/yes?x=7', 'not an address'),
    awayDays: fc.nat(9),
    begun: fc.subarray(blockIds.slice(0, 6)),
    opened: fc.constantFrom(...blockIds.slice(0, 6)),
    referral: fc.constant({ url: 'https://ad.example', id: '7', type: 'ad', headline: 'Half', body: '', clickId: '' }),
  },
  { requiredKeys: ['type'] },
)

/** A visitor who answers now sensibly, now not, and not always what was asked; `choices` are what they roll. */
export function randomReply(request: InputRequest, roll: number): Reply {
  if (roll % 7 === 0) return { type: 'skip' }
  if (roll % 11 === 0) return { type: 'choice', optionIds: ['none', 'i0', 'i0', '__proto__'] }
  if (request.timeout !== undefined && (roll % 5 === 0 || request.input === 'wait')) return { type: 'timeout' }
  if (request.input === 'form' && roll % 3 !== 0) {
    const values = request.fields.map(({ id, choices }, n) => [
      id,
      choices[roll % 3] ?? words[(roll + n) % words.length],
    ])
    return { type: 'form', values: Object.fromEntries(values) }
  }
  if (request.input === 'file' && roll % 3 !== 0) {
    const file = { name: 'a.pdf', url: '/files/aaaaaaaaaaaaaaaa', type: 'application/pdf', size: 10 }
    return { type: 'files', files: roll % 2 ? [file] : [] }
  }
  if ((request.input === 'choice' || request.input === 'rating') && roll % 3 !== 0) {
    const ids = request.options.map(({ id }) => id)
    return {
      type: 'choice',
      optionIds: [ids[roll % Math.max(1, ids.length)] ?? 'none', ...(roll % 2 ? ids.slice(0, 1) : [])],
    }
  }
  return { type: 'text', text: roll % 97 === 0 ? 'é😀'.repeat(7_000) : (words[roll % words.length] ?? '') }
}
