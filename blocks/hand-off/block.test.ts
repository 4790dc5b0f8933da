import { expect, test } from 'vitest'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import type { Json } from '../../engine/values/json'
import { plainRichText } from '../../engine/values/richText'
import { flowAround, shown, stillHost } from '../../tests/support/conversations'
import { registry } from '../registry'

function run(answer: Json) {
  const data = {
    team: { type: 'static', value: 'Support' },
    note: { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'v' }] },
    message: plainRichText('Somebody comes.'),
  }
  const requests: Json[] = []
  const { turns } = replay(
    createProgram(flowAround('hand-off', data, { v: 'Angry' }), registry),
    { replies: [] },
    (effect) => {
      if (effect.type !== 'call') return stillHost(effect)
      requests.push({ service: effect.service, request: effect.request })
      return answer
    },
  )
  return {
    requests,
    port: turns[0]?.trace.find(({ blockId }) => blockId === 'subject')?.port,
    said: turns[0]?.messages.map(shown),
  }
}

test('tells the team, then the visitor', () => {
  expect(run({ ok: true, notified: 2 })).toEqual({
    requests: [{ service: 'hand-off', request: { team: 'Support', note: 'Angry' } }],
    port: 'handed-over',
    said: ['Somebody comes.'],
  })
})

test.each<[Json]>([[{ ok: false, error: 'nobody-available' }], [{ ok: 'yes' }], [null]])(
  'the answer %j is nobody, and promises nothing to the visitor',
  (answer) => {
    expect(run(answer)).toMatchObject({ port: 'nobody-available', said: [] })
  },
)
