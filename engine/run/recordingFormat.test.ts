import { expect, test } from 'vitest'
import { parseRecordings, type Recording, recordingCaps, remapRecording, serialiseRecordings } from './recordingFormat'

const place = { flowId: 'f1', groupId: 'g1', blockId: 'b1' }
const recording: Recording = {
  format: 'parley-recording',
  version: 1,
  name: 'Ada',
  event: {
    type: 'start',
    url: 'https://shop.example/',
    awayDays: 0,
    begun: ['b1'],
    signal: { trigger: 'b1', values: { email: 'ada@example.com' } },
    opened: 'b1',
    referral: { url: 'https://ad.example', id: '7', type: 'ad', headline: 'Half price', body: '', clickId: 'c' },
  },
  variables: { sys_channel: 'web' },
  turns: [
    {
      reply: null,
      answers: [
        { type: 'now', result: '2026-01-01T00:00:00Z' },
        { type: 'random', result: 0.5 },
        { type: 'call', service: 'http', request: { a: 1 }, result: null },
      ],
      expected: {
        steps: [
          { ...place, port: 'next', said: [], writes: { v1: [1] } },
          { ...place, flowId: null, port: null, said: [], writes: {} },
        ],
        request: null,
        ended: false,
        stopped: { reason: 'cycle', at: place },
        variables: { v1: [1] },
      },
    },
  ],
}

test('a test of every part is read as it was written, alone and in a list, with a mark of UTF-8 in front', () => {
  expect(parseRecordings(serialiseRecordings([recording]))).toEqual([recording])
  expect(parseRecordings(`\ufeff${serialiseRecordings([recording, recording])}`)).toEqual([recording, recording])
  expect(serialiseRecordings([recording])).toMatch(/^\{\n {2}"format"[\s\S]*\}\n$/)
})

/** The test with a part replaced, by its path. */
function withPart(path: string, value: unknown): unknown {
  const copy = structuredClone(recording) as unknown as Record<string, unknown>
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  let at = copy
  for (const key of keys) at = at[key] as Record<string, unknown>
  if (value === undefined) delete at[last]
  else at[last] = value
  return copy
}

test.each([
  ['name', ''],
  ['name', ' '],
  ['name', 'n'.repeat(recordingCaps.name + 1)],
  ['event.type', 'end'],
  ['event.awayDays', -1],
  ['event.awayDays', 0.5],
  ['event.begun', ['i'.repeat(65)]],
  ['event.url', `https://shop.example/${'a'.repeat(3_000)}`],
  ['event.more', 1],
  ['event.opened', 'i'.repeat(65)],
  ['event.referral', { url: 'https://ad.example' }],
  ['variables', []],
  ['turns', []],
  ['turns', Array.from({ length: recordingCaps.turns + 1 }, () => recording.turns[0])],
  ['turns.0.reply', undefined],
  ['turns.0.more', 1],
  ['turns.0.answers.0.result', 1],
  ['turns.0.answers.0.result', undefined],
  ['turns.0.answers.0.more', 1],
  ['turns.0.answers.1.result', '1'],
  ['turns.0.answers.1.result', undefined],
  ['turns.0.answers.2.service', 1],
  ['turns.0.answers.2.service', undefined],
  ['turns.0.answers.2.result', undefined],
  ['turns.0.answers.2.request', undefined],
  ['turns.0.answers.2.type', 'other'],
  ['turns.0.expected.steps.0.port', 'p'.repeat(65)],
  ['turns.0.expected.steps.0.port', undefined],
  ['turns.0.expected.steps.0.flowId', undefined],
  ['turns.0.expected.steps.0.groupId', null],
  ['turns.0.expected.steps.0.blockId', undefined],
  ['turns.0.expected.steps.0.said', undefined],
  ['turns.0.expected.steps.0.writes', undefined],
  ['turns.0.expected.steps.0.more', 1],
  ['turns.0.expected.request', undefined],
  ['turns.0.expected.ended', undefined],
  ['turns.0.expected.stopped', { reason: 'boredom', at: place }],
  ['turns.0.expected.stopped', undefined],
  ['turns.0.expected.variables', undefined],
  ['turns.0.expected.more', 1],
  ['more', 1],
])('a test whose %s is %j is refused', (path, value) => {
  expect(() => parseRecordings(JSON.stringify(withPart(path, value)))).toThrow(
    expect.objectContaining({ code: 'RECORDING_INVALID' }),
  )
})

test.each([
  ['name', 'n'.repeat(recordingCaps.name)],
  ['event', { type: 'start' }],
  ['event.begun', ['i'.repeat(64)]],
  ['turns', Array.from({ length: recordingCaps.turns }, () => recording.turns[0])],
])('a test whose %s is at its limit is read', (path, value) => {
  expect(parseRecordings(JSON.stringify(withPart(path, value)))).toHaveLength(1)
})

test.each([
  ['{', 'It is not JSON'],
  ['null', "Its format is not 'parley-recording'"],
  ['"text"', "Its format is not 'parley-recording'"],
  ['[{"format":"other"}]', "Its format is not 'parley-recording'"],
  [JSON.stringify({ ...recording, version: 2 }), 'It has version 2; this one reads up to 1.'],
])('%s says what it is not', (text, reason) => {
  expect(() => parseRecordings(text)).toThrow(reason)
})

test('of several tests the one is named that is wrong', () => {
  const message = (value: unknown) => {
    try {
      return parseRecordings(JSON.stringify(value)) && ''
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(message([recording, withPart('name', '')])).toMatch(/Test 2, .*name/)
  expect(message(withPart('name', ''))).not.toMatch(/Test 1/)
  expect(message([withPart('name', '')])).not.toMatch(/Test 1/)
})

test('places follow their flow to its new id; the main flow has none', () => {
  const moved = remapRecording(recording, (id) => `${id}-copy`).turns[0]?.expected
  expect(moved?.steps.map(({ flowId }) => flowId)).toEqual(['f1-copy', null])
  expect(moved?.stopped).toEqual({ reason: 'cycle', at: { ...place, flowId: 'f1-copy' } })
  expect(remapRecording(recording, (id) => id)).toEqual(recording)
})
