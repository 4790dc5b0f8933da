import { expect, test } from 'vitest'
import { migrateBlock } from '../../engine/flow/migrate'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import type { Json } from '../../engine/values/json'
import { plainRichText } from '../../engine/values/richText'
import { flowAround, shown, stillRuntime } from '../../tests/support/conversations'
import { registry } from '../registry'
import { handOff } from './block'
import { handOffDefaults } from './schema'

type Reply = Parameters<typeof replay>[1]['replies'][number]
const typed = (text: string): Reply => ({ type: 'text', text })

/** The effect's requests, with answers in turn; what is said and asked in each turn. */
function run(
  answers: Json[],
  {
    replies = [],
    more = {},
    variables = { v: 'Angry' },
  }: { replies?: Reply[]; more?: object; variables?: Record<string, Json> } = {},
) {
  const data = {
    ...handOffDefaults(),
    team: { type: 'static', value: 'Support' },
    note: { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'v' }] },
    prompt: plainRichText('Your email?'),
    message: plainRichText('Our team reads this.'),
    ...more,
  }
  const requests: Json[] = []
  const { turns } = replay(createProgram(flowAround('hand-off', data, variables), registry), { replies }, (effect) => {
    if (effect.type !== 'call') return stillRuntime(effect)
    requests.push(effect.request)
    return requests.length <= answers.length ? (answers[requests.length - 1] ?? null) : { ok: true }
  })
  return {
    requests,
    turns,
    ports: turns.flatMap(({ trace }) =>
      trace.filter(({ blockId, port }) => blockId === 'subject' && port).map(({ port }) => port),
    ),
    said: turns.map(({ messages }) => messages.map(shown)),
    last: turns.at(-1)?.session,
  }
}
const taken = { ok: true, delivery: 'mail', email: 'ada@example.com', notified: 2 }
const wanted = { ok: false, error: 'address-wanted' }
const request = { team: 'Support', note: 'Angry' }

test('tells the team, then the visitor, and the conversation stays open with what is true', () => {
  const { requests, ports, said, last } = run([taken])
  expect(requests).toEqual([request])
  expect(ports).toEqual(['handed-over'])
  expect(said).toEqual([['Our team reads this.']])
  expect(last).toMatchObject({
    status: 'waiting',
    at: null,
    request: { input: 'text', toTeam: { delivery: 'mail', email: 'ada@example.com' } },
  })
})

test('what the visitor adds goes to the team, and no bot answers it', () => {
  const { requests, said, last } = run([taken], { replies: [typed('One more thing'), typed('And another')] })
  expect(requests.slice(1)).toEqual([{ action: 'added' }, { action: 'added' }])
  expect(said.slice(1)).toEqual([[], []])
  expect(last).toMatchObject({ status: 'waiting', request: { toTeam: { email: 'ada@example.com' } } })
})

test('asks for an address where none is known, again where it is none, and keeps it', () => {
  const { requests, said, turns, last } = run([wanted, taken], {
    replies: [typed('mail'), typed(' ada@example.com ')],
    more: { emailId: 'e' },
    variables: { v: 'Angry', e: null },
  })
  expect(turns[0]?.session.request).toMatchObject({ input: 'email', required: false })
  expect(said).toEqual([['Your email?'], ['Your email?'], ['Our team reads this.']])
  expect(requests).toEqual([request, { ...request, email: 'ada@example.com', asked: true }])
  expect(last?.variables.e).toBe('ada@example.com')
})

test('without an address the team is told all the same, and the visitor that there is none', () => {
  const { requests, last } = run([wanted, { ...taken, email: null }], { replies: [{ type: 'skip' }] })
  expect(requests[1]).toEqual({ ...request, email: '', asked: true })
  expect(last?.request).toMatchObject({ toTeam: { delivery: 'mail' } })
  expect(last?.request).not.toHaveProperty('toTeam.email')
})

test('passes on the addresses that variables hold, and the one that is the visitor’s for sure alone', () => {
  const variables = { v: 'Angry', shop: 'shop@example.com', mine: ' ada@example.com', sys_contact_email: '' }
  expect(run([taken], { variables }).requests).toEqual([
    { ...request, candidates: ['shop@example.com', 'ada@example.com'] },
  ])
  expect(run([taken], { variables, more: { emailId: 'mine' } }).requests).toEqual([
    { ...request, email: 'ada@example.com' },
  ])
})

test.each<[Json]>([[{ ok: false, error: 'nobody-available' }], [{ ok: 'yes' }], [null]])(
  'the answer %j is nobody, and promises nothing to the visitor',
  (answer) => {
    const { ports, said, last } = run([answer])
    expect([ports, said, last?.status]).toEqual([['nobody-available'], [[]], 'ended'])
  },
)

test('brings what was stored before there was an address', () => {
  const { team, note, message } = handOffDefaults()
  const old = { id: 'b', kind: 'hand-off', version: 0, data: { team, note, message } }
  expect(migrateBlock(old, handOff).data).toEqual(handOffDefaults())
})
