import { expect, test } from 'vitest'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import type { Json } from '../../engine/values/json'
import { flowAround, stillRuntime } from '../../tests/support/conversations'
import { registry } from '../registry'
import { whatsappOptInDefaults } from './schema'

function run(data: object, answer: Json) {
  const requests: Json[] = []
  const flow = flowAround('whatsapp-opt-in', { ...whatsappOptInDefaults(), ...data })
  const { turns } = replay(createProgram(flow, registry), { replies: [] }, (effect) => {
    if (effect.type !== 'call') return stillRuntime(effect)
    requests.push(effect.request)
    return answer
  })
  return { requests, step: turns[0]?.trace.find(({ blockId }) => blockId === 'subject') }
}
const question = { type: 'static', value: 'May we send you offers?' }

test('records what the person agrees to, or that they do not any more', () => {
  expect(run({ question }, { ok: true })).toMatchObject({
    requests: [{ ask: 'opt-in', agrees: true, words: 'May we send you offers?' }],
    step: { port: 'success' },
  })
  expect(run({ answer: 'declines' }, { ok: true }).requests).toEqual([{ ask: 'opt-in', agrees: false, words: '' }])
})

test('says why it could not be recorded', () => {
  expect(run({ question }, { ok: false, error: 'It is on the web.' }).step).toMatchObject({
    ...{ port: 'failure', note: 'It is on the web.' },
  })
})

test('an agreement to nothing is incomplete', () => {
  const { problems } = registry.get('whatsapp-opt-in')
  expect(problems(whatsappOptInDefaults()).map(({ path }) => path)).toEqual(['question'])
  expect(problems({ ...whatsappOptInDefaults(), answer: 'declines' })).toEqual([])
})
