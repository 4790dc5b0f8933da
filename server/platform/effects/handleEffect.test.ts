import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineEffect, failureSchema } from '../../../engine/effects/defineEffect'
import type { Json } from '../../../engine/values/json'
import { callContext } from '../../../tests/support/effects'
import type { CallContext } from './callContext'
import { addHandlers, handleEffect } from './handleEffect'

const book = defineEffect({
  name: 'book',
  request: z.strictObject({ room: z.string().trim(), nights: z.int().min(1).default(1) }),
  result: z.union([z.object({ ok: z.literal(true), price: z.number() }), failureSchema]),
})

test('a handler is given the request as its schema reads it, and never one that does not fit', async () => {
  const seen: unknown[] = []
  const handler = handleEffect(book).by({
    async carryOut(request) {
      seen.push(request)
      return { ok: true, price: 50 }
    },
    simulate: 'reads-only',
  })
  expect(await handler.answer({ room: ' blue ' }, callContext())).toEqual({ ok: true, price: 50 })
  for (const request of [null, 'blue', { room: 'blue', nights: 0 }, { room: 'blue', pets: 1 }] as Json[])
    expect(await handler.answer(request, callContext())).toMatchObject({ ok: false, code: 'invalid_request' })
  expect(await handler.answer({ room: 'blue', nights: 0 }, callContext())).toMatchObject({
    error: 'Nights: Must be at least 1',
  })
  expect(seen).toEqual([{ room: 'blue', nights: 1 }])
})

test('what a test changes is simulated, unless nothing is changed or the tester allowed it', async () => {
  const carryOut = async () => ({ ok: true as const, price: 1 })
  const simulate = async () => ({ ok: true as const, price: 0 })
  const writing = handleEffect(book).by({ carryOut, simulate })
  const reading = handleEffect(book).by({ carryOut, simulate: 'reads-only' })
  const pricesOf = async (writes: CallContext['writes']) => {
    const answers = [writing, reading].map((one) => one.answer({ room: 'blue' }, callContext({ writes })))
    return (await Promise.all(answers)).map((answer) => (answer as { price: number }).price)
  }
  expect(await pricesOf('real')).toEqual([1, 1])
  expect(await pricesOf('marked')).toEqual([1, 1])
  expect(await pricesOf('simulated')).toEqual([0, 1])
})

test('a handler that does not say what it is in a test, or answers something else, does not type', () => {
  const carryOut = async () => ({ ok: true as const, price: 1 })
  // @ts-expect-error: without `simulate` a test would change what is outside
  handleEffect(book).by({ carryOut })
  // @ts-expect-error: the price is a number
  handleEffect(book).by({ carryOut: async () => ({ ok: true, price: 'much' }), simulate: 'reads-only' })
  const needsProject = handleEffect(book).by({
    carryOut: async (_, { project }: Pick<CallContext, 'project'>) => ({ ok: true, price: project.id.length }),
    simulate: 'reads-only',
  })
  // @ts-expect-error: who calls gives what the handler needs
  const called = () => needsProject.answer({ room: 'blue' }, { writes: 'real' })
  expect(called).toBeTypeOf('function')
})

test('an effect has one handler', () => {
  const handler = handleEffect(book).by({ carryOut: async () => ({ ok: true, price: 1 }), simulate: 'reads-only' })
  expect(() => addHandlers(new Map(), [handler, handler])).toThrow("The effect 'book' has a handler already.")
})
