import { z } from 'zod'
import { registry as blocks } from '../../blocks/registry'
import { defineBlock } from '../../engine/flow/defineBlock'
import { createRegistry } from '../../engine/flow/registry'
import { emptyFlow, type Flow } from '../../engine/flow/schema'
import { ask, call, random, read, say, setVariable } from '../../engine/flow/steps'
import { plainRichText } from '../../engine/values/richText'
import { countEffect } from './effects'

/**
 * A kind for tests: asks, draws a random number, calls `count` with it and the reply, says the result, and asks again,
 * endlessly. Calls and messages can be compared, so that a repeated or lost effect shows.
 */
const counting = defineBlock({
  kind: 'counting',
  category: 'other',
  title: 'Counting',
  help: 'Counts calls.',
  schema: z.strictObject({ calls: z.boolean() }),
  defaults: () => ({ calls: true }),
  ports: () => [{ id: 'next' }],
  writes: () => ['answered'],
  *run(data) {
    const reply = yield* ask({ input: 'text', long: false, placeholder: '', required: true, maxLength: 100 })
    const text = reply.type === 'text' ? reply.text : reply.type
    const drawn = yield* random()
    const result = data.calls ? yield* call(countEffect, { text, drawn }) : null
    yield* setVariable('answered', text)
    yield* say(plainRichText(`${text}:${JSON.stringify(result)}`))
    return 'next'
  },
})

/**
 * Calls once more in the same turn: once this call is seen, the previous one has been recorded and must never be
 * repeated.
 */
const recounting = defineBlock({
  kind: 'recounting',
  category: 'other',
  title: 'Recounting',
  help: 'Counts once more.',
  schema: z.strictObject({}),
  defaults: () => ({}),
  ports: () => [{ id: 'next' }],
  *run() {
    const text = String((yield* read()).answered)
    const drawn = yield* random()
    yield* say(plainRichText(`${text}:${JSON.stringify(yield* call(countEffect, { text, drawn, again: true }))}`))
    return 'next'
  },
})

export const callingRegistry = createRegistry([...blocks.kinds, counting, recounting])

/** Asks and answers endlessly; with `calls`, each turn calls `count` once, with `twice` once more. */
export function callingFlow({ calls, twice = false }: { calls: boolean; twice?: boolean }): Flow {
  const start = { id: 'start', kind: 'start', version: 0, data: {} }
  const first = { id: 'first', kind: 'counting', version: 0, data: { calls } }
  const second = { id: 'second', kind: 'recounting', version: 0, data: {} }
  return {
    ...emptyFlow(),
    groups: [
      { id: 'g0', title: 'Start', position: { x: 0, y: 0 }, blocks: [start] },
      { id: 'g1', title: 'Ask', position: { x: 300, y: 0 }, blocks: twice ? [first, second] : [first] },
    ],
    edges: [
      { from: { blockId: 'start', portId: 'next' }, to: { groupId: 'g1' } },
      { from: { blockId: twice ? 'second' : 'first', portId: 'next' }, to: { groupId: 'g1' } },
    ],
    variables: [{ id: 'answered', name: 'answered', value: null }],
  }
}
