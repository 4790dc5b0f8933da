import { z } from 'zod'
import { registry as blocks } from '../../blocks/registry'
import { defineBlock } from '../../engine/flow/defineBlock'
import { createRegistry } from '../../engine/flow/registry'
import { emptyFlow, type Flow } from '../../engine/flow/schema'
import { ask, call, say, wait } from '../../engine/flow/steps'
import { plainRichText } from '../../engine/values/richText'
import { countEffect } from './effects'

/**
 * A kind for tests: asks and says the reply, `timeout` if there was none in time, then optionally waits and calls an
 * effect.
 */
const timed = defineBlock({
  kind: 'timed',
  category: 'other',
  title: 'Timed',
  help: 'Asks for a time.',
  schema: z.strictObject({ noReplyAfter: z.int(), pause: z.int(), calls: z.boolean() }),
  defaults: () => ({ noReplyAfter: 60, pause: 0, calls: false }),
  ports: () => [{ id: 'next' }],
  *run({ noReplyAfter, pause, calls }) {
    const question = { input: 'text' as const, long: false, placeholder: '', required: true, maxLength: 100 }
    const reply = yield* ask({ ...question, timeout: noReplyAfter })
    const text = reply.type === 'text' ? reply.text : reply.type
    if (calls) yield* call(countEffect, { text })
    yield* say(plainRichText(`got ${text}`))
    if (pause > 0) {
      yield* wait(pause)
      yield* say(plainRichText('waited'))
    }
    return 'next'
  },
})

export const timedRegistry = createRegistry([...blocks.kinds, timed])

/** Asks again and again. */
export function timedFlow(data: { noReplyAfter: number; pause?: number; calls?: boolean }): Flow {
  const block = { id: 'timed', kind: 'timed', version: 0, data: { pause: 0, calls: false, ...data } }
  return {
    ...emptyFlow(),
    groups: [
      {
        id: 'g0',
        title: 'Start',
        position: { x: 0, y: 0 },
        blocks: [{ id: 'start', kind: 'start', version: 0, data: {} }],
      },
      { id: 'g1', title: 'Ask', position: { x: 300, y: 0 }, blocks: [block] },
    ],
    edges: [
      { from: { blockId: 'start', portId: 'next' }, to: { groupId: 'g1' } },
      { from: { blockId: 'timed', portId: 'next' }, to: { groupId: 'g1' } },
    ],
  }
}
