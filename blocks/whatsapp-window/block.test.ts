import { expect, test } from 'vitest'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import type { Json } from '../../engine/values/json'
import { flowAround, stillRuntime } from '../../tests/support/conversations'
import { registry } from '../registry'

const port = (answer: Json) =>
  replay(createProgram(flowAround('whatsapp-window', {}), registry), { replies: [] }, (effect) =>
    effect.type === 'call' ? answer : stillRuntime(effect),
  ).turns[0]?.trace.find(({ blockId }) => blockId === 'subject')?.port

test.each<[string, Json, string]>([
  ['a window that is over', { ok: false, error: 'outside-window' }, 'outside'],
  ['an open one', { ok: true }, 'open'],
  ['a channel that can’t be asked', { ok: false, error: 'There is no such service.' }, 'open'],
])('%s', (_, answer, expected) => {
  expect(port(answer)).toBe(expected)
})
