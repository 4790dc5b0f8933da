import { expect, test } from 'vitest'
import type { PlaygroundDebug } from '../../../server/contracts/playground'
import { debugIn } from './flowDebug'

const step = (flowId: string | null, turn: number): PlaygroundDebug['path'][number] => ({
  flowId,
  groupId: 'g',
  blockId: 'b',
  kind: 'text',
  port: 'next',
  messages: 1,
  writes: {},
  turn,
})
const debug: PlaygroundDebug = {
  active: { flowId: 'sales', groupId: 'g', blockId: 'b' },
  paused: { flowId: 'help', groupId: 'g', blockId: 'b' },
  turns: [],
  turn: 2,
  path: [step(null, 0), step('sales', 1), step(null, 2)],
  variables: [],
  carries_out: false,
  effects: [],
  names: {},
  stopped: { reason: 'cycle', at: { flowId: null, groupId: 'g', blockId: 'b' } },
}

test('a flow shows what of a test went on in it, though another has blocks of the same ids', () => {
  expect(debugIn(debug, null)).toMatchObject({
    active: null,
    paused: null,
    path: [{ turn: 0 }, { turn: 2 }],
    stopped: {},
  })
  expect(debugIn(debug, 'sales')).toMatchObject({ active: { blockId: 'b' }, path: [{ turn: 1 }], stopped: null })
  expect(debugIn(debug, 'help')).toMatchObject({ active: null, paused: { blockId: 'b' }, path: [], stopped: null })
  expect(debugIn(null, null)).toBeNull()
})
