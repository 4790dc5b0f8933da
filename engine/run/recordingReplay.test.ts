import { describe, expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { courses, flow as scripted, scriptedRegistry, wait } from '../../tests/support/scripted'
import { emptyFlow, type Flow } from '../flow/schema'
import { now, setVariable } from '../flow/steps'
import { staticValue } from '../values/dynamicValue'
import { plainRichText } from '../values/richText'
import { createProgram } from './program'
import { converse } from './recording'
import { coverageOf } from './recordingCoverage'
import { parseRecordings, type Recording, remapRecording, serialiseRecordings } from './recordingFormat'
import { recordConversation, replayRecording } from './recordingReplay'

const block = (kind: string, id: string, changed: object = {}) => {
  const definition = registry.get(kind)
  return {
    id,
    kind,
    version: definition.migrations.length,
    data: { ...(definition.defaults(() => `${id}_x`) as object), ...changed } as Flow['groups'][0]['blocks'][0]['data'],
  }
}

/** Greets, asks for the name, makes an HTTP call, thanks. */
const flow = (changed: { greeting?: string; url?: string; thanks?: string } = {}): Flow => ({
  ...emptyFlow(),
  variables: [{ id: 'name', name: 'name', value: null }],
  groups: [
    {
      id: 'g1',
      title: 'Hello',
      position: { x: 0, y: 0 },
      blocks: [
        block('start', 'start'),
        block('text', 'greet', { content: plainRichText(changed.greeting ?? 'Hello') }),
        block('text-input', 'ask', { saveTo: 'name' }),
      ],
    },
    {
      id: 'g2',
      title: 'Call',
      position: { x: 400, y: 0 },
      blocks: [
        block('http-request', 'call', { url: staticValue(changed.url ?? 'https://example.com/a') }),
        block('text', 'thank', { content: plainRichText(changed.thanks ?? 'Thanks') }),
      ],
    },
    {
      id: 'g3',
      title: 'Never',
      position: { x: 800, y: 0 },
      blocks: [block('text', 'never', { content: plainRichText('Never') })],
    },
  ],
  edges: [{ from: { blockId: 'ask', portId: 'next' }, to: { groupId: 'g2' } }],
})
const program = (of: Flow) => createProgram(of, registry)

const answered = { ok: true, status: 200, headers: {}, body: { a: 1 }, ms: 3 }
const recorded = (of: Flow = flow()): Recording => {
  const heard = {
    name: 'Ada',
    event: { type: 'start' as const },
    variables: { sys_channel: 'playground' },
    turns: [
      { reply: null, answers: [] },
      {
        reply: { type: 'text' as const, text: 'Ada' },
        answers: [{ type: 'call' as const, service: 'http', request: null, result: answered }],
      },
    ],
  }
  return recordConversation(program(of), heard)
}
const firstOf = (recording: Recording, of: Flow) => replayRecording(program(of), recording).differences.find(Boolean)

/** A form that asks for a name. */
const asking: Flow = {
  ...emptyFlow(),
  groups: [
    {
      id: 'g1',
      title: 'Hello',
      position: { x: 0, y: 0 },
      blocks: [
        block('start', 'start'),
        block('form', 'ask', {
          fields: [
            {
              ...{ id: 'name', type: 'text', label: staticValue('Name'), placeholder: staticValue('') },
              ...{ choices: [], required: true, saveTo: null },
            },
          ],
        }),
      ],
    },
  ],
}

describe('a kept conversation', () => {
  test('of a form that was recorded before its fields told their limits is the same, and differs by a limit it named', () => {
    const heard = {
      name: 'Form',
      event: { type: 'start' as const },
      variables: {},
      turns: [{ reply: null, answers: [] }],
    }
    const limited = (maxLength: number | undefined): Recording => {
      const recording = recordConversation(program(asking), heard)
      const request = recording.turns[0]?.expected.request
      if (request?.input !== 'form') throw new Error('No form was asked')
      for (const field of request.fields) field.maxLength = maxLength
      return recording
    }
    expect(firstOf(limited(undefined), asking)).toBeUndefined()
    expect(firstOf(limited(3), asking)).toMatchObject({ type: 'asked', place: { blockId: 'ask' } })
  })

  test('replays without the outside world, the same every time, and is the same when written and read', () => {
    const recording = recorded()
    expect(recording.turns[1]?.answers).toEqual([
      {
        type: 'call',
        service: 'http',
        request: expect.objectContaining({ url: 'https://example.com/a' }),
        result: answered,
      },
    ])
    expect(recording.turns[1]?.expected.ended).toBe(true)
    expect(replayRecording(program(flow()), recording)).toEqual({ differences: [null, null], present: recording })
    expect(parseRecordings(serialiseRecordings([recording]))).toEqual([recording])
    expect(parseRecordings(serialiseRecordings([recording, recording]))).toEqual([recording, recording])
  })

  test('names the block whose text changed, and nothing else', () => {
    const changed = flow({ thanks: 'Thank you' })
    const { differences, present } = replayRecording(program(changed), recorded())
    expect(differences).toEqual([
      null,
      {
        type: 'said',
        place: { flowId: null, groupId: 'g2', blockId: 'thank' },
        expected: [{ kind: 'text', text: plainRichText('Thanks') }],
        actual: [{ kind: 'text', text: plainRichText('Thank you') }],
      },
    ])
    // once accepted, it tests the new behaviour
    expect(replayRecording(program(changed), present).differences).toEqual([null, null])
  })

  test('gives a call whose request changed its recorded answer, and tells it', () => {
    const { differences, present } = replayRecording(
      program(flow({ url: 'https://example.com/b', thanks: 'Other' })),
      recorded(),
    )
    expect(differences[1]).toMatchObject({ type: 'called', place: { blockId: 'call' } })
    expect(present.turns[1]?.answers[0]).toMatchObject({ request: { url: 'https://example.com/b' }, result: answered })
  })

  test('tells where the path goes elsewhere, and a turn that is not reached', () => {
    const elsewhere: Flow = { ...flow(), edges: [{ from: { blockId: 'ask', portId: 'next' }, to: { groupId: 'g3' } }] }
    expect(firstOf(recorded(), elsewhere)).toMatchObject({
      type: 'path',
      place: { groupId: 'g1', blockId: 'ask' },
      expected: { blockId: 'call' },
      actual: { blockId: 'never' },
    })
    const cut: Flow = { ...flow() }
    cut.groups = cut.groups.map((group) => ({ ...group, blocks: group.blocks.filter(({ id }) => id !== 'ask') }))
    const { differences, present } = replayRecording(program(cut), recorded())
    expect(differences.map((difference) => difference?.type)).toEqual(['path', 'unreached'])
    expect(present.turns).toHaveLength(1)
  })

  test('tells a value that changed', () => {
    const other = recorded()
    other.variables = { sys_channel: 'web' }
    expect(firstOf(other, flow())).toMatchObject({
      type: 'set',
      expected: { sys_channel: 'playground' },
      actual: { sys_channel: 'web' },
    })
  })

  test('tells that a safety limit stopped it, or stops it no more', () => {
    const stopped = recorded()
    const at = { flowId: null, groupId: 'g2', blockId: 'thank' }
    const [, last] = stopped.turns
    if (last) last.expected.stopped = { reason: 'step-limit', at }
    const { differences, present } = replayRecording(program(flow()), stopped)
    expect(differences).toEqual([
      null,
      { type: 'stopped', place: at, expected: { reason: 'step-limit', at }, actual: null },
    ])
    expect(present.turns[1]?.expected.stopped).toBeNull()
  })

  test('is over after a thousand turns, however long its visitor answers', () => {
    const endless: Flow = {
      ...asking,
      groups: [],
      edges: [{ from: { blockId: 'ask', portId: 'next' }, to: { groupId: 'g1' } }],
    }
    endless.groups = flow().groups.slice(0, 1)
    const { turns, session } = converse(
      program(endless),
      () => ({ type: 'text', text: 'Ada' }),
      () => null,
    )
    expect([turns.length, session.status]).toEqual([1_000, 'waiting'])
  })

  test('follows flows to other ids', () => {
    const recording = recorded()
    const step = recording.turns[0]?.expected.steps[0]
    if (step) step.flowId = 'gone'
    expect(remapRecording(recording, () => 'here').turns[0]?.expected.steps.map(({ flowId }) => flowId)).toEqual([
      'here',
      null,
      null,
    ])
  })
})

test('coverage counts groups and ways out, and lists what no test reaches', () => {
  const { present } = replayRecording(program(flow()), recorded())
  const coverage = coverageOf({ main: flow(), others: [] }, registry, [present])
  expect(coverage.groups).toEqual({ reached: 2, total: 3 })
  expect(coverage.unreached).toContainEqual({ flowId: null, groupId: 'g3' })
  expect(coverage.unreached).toContainEqual({ flowId: null, groupId: 'g2', blockId: 'call', portId: 'failure' })
  expect(coverage.ports.reached).toBe(5)
  const waysInReached = coverage.unreached.filter(({ portId }) => portId).length
  expect(coverage.ports.total).toBe(coverage.ports.reached + waysInReached + 1)
  expect(coverageOf({ main: flow(), others: [] }, registry, []).groups).toEqual({ reached: 0, total: 3 })
})

test('an empty group is none to reach, and a flow’s groups are told apart from those of others', () => {
  const empty = { id: 'g4', title: '', position: { x: 0, y: 0 }, blocks: [] }
  const main = { ...flow(), groups: [...flow().groups, empty] }
  const { present } = replayRecording(program(flow()), recorded())
  expect(coverageOf({ main, others: [] }, registry, [present]).groups).toEqual({ reached: 2, total: 3 })
  const other = { id: 'f2', title: 'Other', flow: flow() } as never
  const { groups, unreached } = coverageOf({ main, others: [other] }, registry, [present])
  expect(groups).toEqual({ reached: 2, total: 6 })
  expect(unreached.filter(({ flowId }) => flowId === 'f2')).toEqual(
    ['g1', 'g2', 'g3'].map((groupId) => ({ flowId: 'f2', groupId })),
  )
})

test.each([
  ['{', /not JSON/],
  ['{}', /format/],
  ['{"format":"parley-recording","version":9}', /version 9/],
  ['[{"format":"parley-recording","version":1,"name":""}]', /name/],
])('what is no recording is refused: %s', (source, reason) => {
  expect(() => parseRecordings(source)).toThrow(reason)
})

test('where a kept conversation holds no chance yet, the middle is taken', () => {
  const paths = ['a', 'b', 'c'].map((id) => ({ id, label: '', percent: id === 'b' ? 20 : 40 }))
  const of = {
    ...emptyFlow(),
    groups: [
      {
        id: 'g1',
        title: '',
        position: { x: 0, y: 0 },
        blocks: [block('start', 'start'), block('ab-split', 'split', { paths })],
      },
    ],
  }
  const heard = { name: '', event: { type: 'start' as const }, variables: {}, turns: [{ reply: null, answers: [] }] }
  const [turn] = recordConversation(program(of), heard).turns
  expect(turn?.answers).toEqual([{ type: 'random', result: 0.5 }])
  expect(turn?.expected.steps.find(({ blockId }) => blockId === 'split')?.port).toBe('b')
})

test('where a kept conversation holds no time, it is the last one that it holds', () => {
  courses.clock = function* () {
    yield* now()
    yield* wait()
    yield* setVariable('at', yield* now())
    return 'next'
  }
  const at = '2026-01-02T03:04:05.000Z'
  const turns = [
    { reply: null, answers: [{ type: 'now' as const, result: at }] },
    { reply: { type: 'text' as const, text: 'later' }, answers: [] },
  ]
  const clock = createProgram(scripted({ g: ['start', 'a:clock'] }), scriptedRegistry)
  const heard = { name: '', event: { type: 'start' as const }, variables: {}, turns }
  expect(recordConversation(clock, heard).turns[1]?.answers).toEqual([{ type: 'now', result: at }])
})
