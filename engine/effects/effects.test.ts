import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { begin, courses, flow, notes, scriptedRegistry } from '../../tests/support/scripted'
import { call, note } from '../flow/steps'
import { createProgram } from '../run/program'
import type { Json } from '../values/json'
import { aiAnswerEffect } from './aiAnswer'
import { aiExtractEffect } from './aiExtract'
import { bookingsEffect } from './bookings'
import { contactsEffect } from './contacts'
import { crmEffect } from './crm'
import { CALL_FAILED, defineEffect, resultOf } from './defineEffect'
import { handOffEffect } from './handOff'
import { httpEffect } from './http'
import { intentsEffect } from './intents'
import { mailEffect } from './mail'
import { sheetsEffect } from './sheets'
import { ticketEffect } from './ticket'
import { whatsappEffect } from './whatsapp'

const effects = [
  aiAnswerEffect,
  aiExtractEffect,
  bookingsEffect,
  contactsEffect,
  crmEffect,
  handOffEffect,
  httpEffect,
  intentsEffect,
  mailEffect,
  sheetsEffect,
  ticketEffect,
  whatsappEffect,
]
const failed = { ok: false, error: 'The call failed.' }

test('a file an effect, each under a name of its own', () => {
  const declared = readdirSync(import.meta.dirname).filter((name) =>
    /= defineEffect\(\{/.test(readFileSync(join(import.meta.dirname, name), 'utf8')),
  )
  expect(declared.filter((name) => !name.endsWith('.test.ts'))).toHaveLength(effects.length)
  expect(new Set(effects.map(({ name }) => name)).size).toBe(effects.length)
})

test.each(effects.map((effect) => [effect.name, effect] as const))(
  '%s: what is no result is a failed call',
  (_, effect) => {
    for (const result of [null, 'no answer', [], {}, { ok: 'yes' }, { called: 'count' }] as Json[])
      expect(resultOf(effect, result)).toMatchObject(failed)
    expect(resultOf(effect, { ok: false, error: 'It is closed.' })).toMatchObject({ ok: false, error: 'It is closed.' })
  },
)

test('an effect whose result has no room for a failure can’t be declared', () => {
  const result = z.object({ ok: z.literal(true) })
  expect(() => defineEffect({ name: 'sure', request: z.null(), result })).toThrow("'sure' takes no failure")
})

test('results that older tests hold are read as they were', () => {
  expect(resultOf(handOffEffect, { ok: true })).toEqual({ ok: true, delivery: 'mail', email: null })
  expect(resultOf(mailEffect, { ok: true, status: 'accepted' })).toEqual({ ok: true })
  expect(resultOf(contactsEffect, { ok: true, contact: null })).toEqual({ ok: true })
  expect(resultOf(contactsEffect, { ok: true, contact: { id: 'c', fields: { name: 'Ada', age: 7 } } })).toEqual({
    ok: true,
    contact: { id: 'c', fields: { name: 'Ada', age: 7 }, custom: {} },
  })
  expect(resultOf(httpEffect, { ok: true, status: 201, error: null } as Json)).toMatchObject({ ok: true, status: 201 })
})

test('a large result is neither gone through nor copied', () => {
  let reads = 0
  const body = new Proxy<Record<string, Json>>({}, { ownKeys: () => [`${++reads}`], get: () => ++reads })
  expect(resultOf(httpEffect, { ok: true, status: 200, body }).body).toBe(body)
  expect(reads).toBe(0)
})

test('a request goes out as the block wrote it, and a result that does not fit is a failure that the block sees', () => {
  const asked: Json[] = []
  courses.hands = function* () {
    const result = yield* call(handOffEffect, { note: 'b', team: 'a' })
    yield* note(result.ok ? 'yes' : result.error)
    return 'next'
  }
  const result = begin(createProgram(flow({ g: ['start', 'hands'] }), scriptedRegistry), (effect) => {
    if (effect.type === 'call') asked.push([effect.service, JSON.stringify(effect.request)])
    return { ok: 'perhaps' }
  })
  // schema defaults are applied by the handler only: kept tests compare requests
  expect(asked).toEqual([['hand-off', '{"note":"b","team":"a"}']])
  expect(notes(result)).toEqual([CALL_FAILED.error])
})
