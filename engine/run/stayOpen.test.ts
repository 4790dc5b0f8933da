import { expect, test } from 'vitest'
import { classify, courses, flow, leave, scriptedRegistry, text, wait } from '../../tests/support/scripted'
import type { InputRequest, Reply } from '../flow/effects'
import { endConversation, wait as pause, stayOpen } from '../flow/steps'
import type { Json } from '../values/json'
import { driveTurn } from './drive'
import { createProgram } from './program'
import { abandonTurn, newSession, turn } from './turn'

const open: InputRequest = { input: 'text', placeholder: 'Add', required: true, long: true, maxLength: 100 }
courses.start = () => leave('next')
courses['on-always'] = () => leave('next')
courses.open = function* () {
  yield* stayOpen({ request: open, service: 'people' })
  return 'next'
}
courses.asks = function* () {
  yield* text('And?')
  yield* wait()
  return 'next'
}
courses.pauses = function* () {
  yield* pause(5)
  return 'next'
}
courses.ends = function* () {
  yield* text('Bye')
  yield* endConversation()
  return 'next'
}

/** Talks to the blocks in one group; returns what is asked after each turn, and the calls with their keys. */
function talk(blocks: string[], replies: Reply[]) {
  const program = createProgram(flow({ g: ['start', ...blocks], other: ['on-always'] }), scriptedRegistry, { classify })
  const calls: Json[] = []
  const drive = (running: ReturnType<typeof turn>) =>
    driveTurn(running, (effect) => {
      if (effect.type !== 'call') throw new Error('Only calls are expected.')
      calls.push({ key: effect.key, service: effect.service, request: effect.request })
      return { ok: true }
    })
  let result = drive(turn(program, newSession(program), { type: 'start', event: { type: 'start' } }))
  const asked = [result.session.request]
  const statuses = [result.session.status]
  for (const reply of replies) {
    // sessions are stored as plain JSON
    result = drive(turn(program, JSON.parse(JSON.stringify(result.session)), { type: 'reply', reply }))
    asked.push(result.session.request)
    statuses.push(result.session.status)
    expect(result.messages).toEqual([])
  }
  return { calls, asked, statuses }
}
const typed = (words: string): Reply => ({ type: 'text', text: words })
const added = (key: string) => ({ key, service: 'people', request: { action: 'added' } })

test('a flow that has run out waits with the open request, tells the service of each reply, and hears no intents', () => {
  const { calls, asked, statuses } = talk(['open'], [typed('One'), typed('of on-always'), { type: 'timeout' }])
  expect(asked).toEqual([open, open, open, open])
  expect(new Set(statuses)).toEqual(new Set(['waiting']))
  // each has its own key, so that the runtime repeats none
  expect(calls).toEqual([added('2.0.open'), added('3.0.open')])
})

test('what the flow still asks is told too, and a block that ends the flow does not close the conversation', () => {
  const { calls, asked } = talk(['open', 'asks'], [typed('Yes')])
  expect(asked.map((request) => request && 'placeholder' in request && request.placeholder)).toEqual(['', 'Add'])
  expect(calls).toEqual([added('3.1.open')].map(() => expect.objectContaining({ service: 'people' })))
  const program = createProgram(flow({ g: ['start', 'open', 'ends'] }), scriptedRegistry)
  const { session, messages } = driveTurn(
    turn(program, newSession(program), { type: 'start', event: { type: 'start' } }),
    () => null,
  )
  expect([session.status, session.request, messages.length]).toEqual(['waiting', open, 1])
})

test('words during a wait are told to nobody: they are no part of the conversation', () => {
  const { calls, asked } = talk(['open', 'pauses'], [typed('Hello?'), { type: 'timeout' }])
  expect(asked.map((request) => request?.input)).toEqual(['wait', 'wait', 'text'])
  expect(calls).toEqual([])
})

test('a conversation that the safety rails end is open for nobody', () => {
  const program = createProgram(flow({ g: ['start', 'open', 'asks'] }), scriptedRegistry)
  const { session } = driveTurn(
    turn(program, newSession(program), { type: 'start', event: { type: 'start' } }),
    () => null,
  )
  expect(session).toMatchObject({ status: 'waiting', open: { request: open, service: 'people' } })
  const ended = abandonTurn(program, session).session
  expect(ended.status).toBe('ended')
  expect(ended).not.toHaveProperty('open')
})
