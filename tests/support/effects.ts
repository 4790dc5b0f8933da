import { z } from 'zod'
import { defineEffect, type EffectDefinition } from '../../engine/effects/defineEffect'
import type { Json } from '../../engine/values/json'
import type { CallContext } from '../../server/platform/effects/callContext'
import { type Answer, type EffectHandler, handleEffect } from '../../server/platform/effects/handleEffect'

/** A test effect whose requests and results are any JSON. */
export const plainEffect = (name: string) => defineEffect({ name, request: z.custom<Json>(), result: z.custom<Json>() })

/** The effect that most tests call. */
export const countEffect = plainEffect('count')
export type Count = (request: Json, context: CallContext) => Promise<Json>

/** Handles an effect as one that only reads. */
export const reading = <Effect extends EffectDefinition>(
  effect: Effect,
  carryOut: Answer<Effect, CallContext>,
): EffectHandler => handleEffect(effect).by({ carryOut, simulate: 'reads-only' })

/** Handles `count`, likewise. */
export const counting = (count: Count): EffectHandler => reading(countEffect, count)

/** The context of a visitor's call, with overrides. */
export const callContext = (more: Partial<CallContext> = {}): CallContext => ({
  project: { id: '1' },
  chatbot: { id: '1' },
  conversation: { id: '1', gid: 'conversation0001', visitor: null },
  run: { id: '1', versionId: '1', variables: {} },
  environment: 'sharing',
  channel: 'web',
  idempotencyKey: 'key',
  signal: new AbortController().signal,
  writes: 'real',
  draft: () => undefined,
  ...more,
})

/** Of a call that belongs to no conversation, as one of the playground. */
export const writeContext = (projectId: string, key: string) => ({
  ...callContext({ project: { id: projectId }, idempotencyKey: key }),
  conversation: null,
})
