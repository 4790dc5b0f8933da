import type { AnswerOf, EffectDefinition, ParsedRequestOf } from '../../../engine/effects/defineEffect'
import type { TestEffect } from '../../../engine/flow/testEffects'
import { firstProblem } from '../../../engine/values/issues'
import type { Json } from '../../../engine/values/json'
import type { CallContext } from './callContext'

/** The result of a call; in a test with what it changed outside, or would have. */
type Answered<Effect extends EffectDefinition> =
  | AnswerOf<Effect>
  | (AnswerOf<Effect> & { testEffects?: readonly TestEffect[] })

/** Answers a call. Never throws: a failure is a result that the block understands. */
export type Answer<Effect extends EffectDefinition, Needs> = (
  request: ParsedRequestOf<Effect>,
  context: Needs,
) => Promise<Answered<Effect>>

/** How an effect is handled. Every handler must declare what it does in a test that changes nothing. */
export interface Handling<Effect extends EffectDefinition, Needs> {
  carryOut: Answer<Effect, Needs>
  /**
   * The same call without changing anything outside: reading may be carried out, writing is answered as if it had been,
   * with `testEffects` (engine/flow/testEffects.ts). `reads-only`: no request of this effect changes anything.
   */
  simulate: Answer<Effect, Needs> | 'reads-only'
}

/** The result of a call whose conversation has been deleted: nobody waits for it, and there is nothing to fix. */
export const CONVERSATION_GONE = { ok: false, error: 'The conversation no longer exists.' } as const

/** Handles calls of an effect; `Needs` is the part of the context it requires. */
export interface EffectHandler<Needs = CallContext> {
  readonly effect: EffectDefinition
  readonly answer: (request: Json, context: Needs) => Promise<Json>
}

/**
 * Creates the handler of an effect. Requests are parsed here: an invalid one becomes a failure with the reason, and
 * never reaches the handler. Whether a call is carried out or simulated is decided only here.
 */
export const handleEffect = <Effect extends EffectDefinition>(effect: Effect) => ({
  // a separate step: TypeScript checks answers against the effect's types only once these are inferred
  by: <Needs>({ carryOut, simulate }: Handling<Effect, Needs>): EffectHandler<Needs & Pick<CallContext, 'writes'>> => ({
    effect,
    async answer(request, context) {
      const parsed = effect.request.safeParse(request)
      if (!parsed.success) return { ok: false, error: firstProblem(parsed.error.issues), code: 'invalid_request' }
      const answer = context.writes === 'simulated' && simulate !== 'reads-only' ? simulate : carryOut
      return (await answer(parsed.data as ParsedRequestOf<Effect>, context)) as Json
    },
  }),
})

/** The handlers of a process by effect name. */
export type EffectHandlers = Map<string, EffectHandler>

/** Adds handlers. @throws if an effect already has one */
export function addHandlers(handlers: EffectHandlers, added: readonly EffectHandler[]): EffectHandlers {
  for (const handler of added) {
    const { name } = handler.effect
    if (handlers.has(name)) throw new Error(`The effect '${name}' has a handler already.`)
    handlers.set(name, handler)
  }
  return handlers
}
