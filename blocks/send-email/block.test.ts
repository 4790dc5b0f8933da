import { expect, test } from 'vitest'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { flowAround, stillRuntime } from '../../tests/support/conversations'
import { registry } from '../registry'
import { sendEmail } from './block'
import { sendEmailDefaults, sendEmailSchema } from './schema'

const still = (value: string): DynamicValue => ({ type: 'static', value })
const fromVariable: DynamicValue = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'v' }] }
const to = (...addresses: DynamicValue[]) => addresses.map((address, index) => ({ id: `r${index}`, address }))

/** The effect's request, and the port that the block leaves by. */
function run(data: object, v: Json, answer: Json = { ok: true }) {
  const requests: Json[] = []
  const program = createProgram(flowAround('send-email', { ...sendEmailDefaults(), ...data }, { v }), registry)
  const { turns } = replay(program, { replies: [] }, (effect) => {
    if (effect.type !== 'call') return stillRuntime(effect)
    requests.push({ service: effect.service, ...(effect.request as Record<string, Json>) })
    return answer
  })
  return { requests, port: turns[0]?.trace.find(({ blockId }) => blockId === 'subject')?.port }
}

test('asks the service for a mail with everything in it rendered', () => {
  const body = [
    { type: 'paragraph', children: [{ text: 'Hi ' }, { text: '', variable: true, variable_id: 'v', bold: true }] },
  ]
  const { requests, port } = run(
    { to: to(still('a@b.co')), subject: fromVariable, fromName: still('Acme'), body },
    'Ada',
  )
  expect(port).toBe('success')
  expect(requests).toEqual([
    {
      service: 'mail',
      fromName: 'Acme',
      to: ['a@b.co'],
      cc: [],
      bcc: [],
      replyTo: [],
      subject: 'Ada',
      body: [{ type: 'paragraph', children: [{ text: 'Hi ' }, { text: 'Ada', bold: true }] }],
    },
  ])
})

test.each<[Json, string[]]>([
  [
    ['a@b.co', 'c@d.co'],
    ['a@b.co', 'c@d.co'],
  ],
  ['a@b.co; c@d.co,\n e@f.co', ['a@b.co', 'c@d.co', 'e@f.co']],
  [null, []],
])('a variable that is %j gives the addresses %j', (value, addresses) => {
  expect(run({ to: to(fromVariable) }, value).requests).toMatchObject([{ to: addresses }])
})

test.each<[Json, string]>([
  [{ ok: true, messageId: '<x@y>' }, 'success'],
  [{ ok: false, error: '550 No such user' }, 'failure'],
  ['nothing like it', 'failure'],
  [null, 'failure'],
])('the answer %j leads to %s', (answer, port) => {
  expect(run({ to: to(still('a@b.co')) }, null, answer).port).toBe(port)
})

test('refuses what SPEC.md refuses, in its words, unless variables make it', () => {
  const issues = (data: object) =>
    sendEmailSchema.safeParse({ ...sendEmailDefaults(), ...data }).error?.issues.map(({ message }) => message)
  for (const field of ['to', 'cc', 'bcc', 'replyTo']) {
    expect(issues({ [field]: to(still('nobody')) })).toEqual(['Enter a valid email address'])
    expect(issues({ [field]: to(still(`${'x'.repeat(251)}@b.co`)) })).toContain('Must not exceed 255 characters')
    expect(issues({ [field]: to(fromVariable, still('a@b.co'), still('')) })).toBeUndefined()
    expect(issues({ [field]: to(...Array.from({ length: 5 }, () => still('a@b.co'))) })).toBeUndefined()
    expect(issues({ [field]: to(...Array.from({ length: 6 }, () => still('a@b.co'))) })).toHaveLength(1)
  }
  expect(issues({ subject: still('x'.repeat(989)) })).toEqual(['Must not exceed 988 characters'])
  expect(issues({ fromName: still('x'.repeat(256)) })).toEqual(['Must not exceed 255 characters'])
})

test('a failure that nobody connected goes on where success does', () => {
  const [, failure] = sendEmail.ports(sendEmailDefaults())
  expect(failure).toMatchObject({ id: 'failure', fallback: 'success' })
})
