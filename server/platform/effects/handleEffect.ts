import type { AnswerOf, EffectDefinition, ParsedRequestOf } from '../../../engine/effects/defineEffect'
import type { TestEffect } from '../../../engine/flow/testEffects'
import { firstProblem } from '../../../engine/values/issues'
import type { Json } from '../../../engine/values/json'
import type { CallContext } from './callContext'

/** What a call came to; in a test, with what it changed outside, or would have. */
type Answered<Effect extends EffectDefinition> =
  | AnswerOf<Effect>
  | (AnswerOf<Effect> & { testEffects?: readonly TestEffect[] })

/** Answers a call. It never throws: a failure is a result that the block understands. */
export type Answer<Effect extends EffectDefinition, Needs> = (
  request: ParsedRequestOf<Effect>,
  context: Needs,
) => Promise<Answered<Effect>>

/** How an effect is carried out. Each declares what it is in a test that changes nothing: without saying so there is no handler. */
export interface Handling<Effect extends EffectDefinition, Needs> {
  carryOut: Answer<Effect, Needs>
  /**
   * The same call without any change outside: what reads alone may be carried out here too, what writes is answered as if it had
   * been, with `testEffects` (engine/flow/testEffects.ts). `reads-only`: no request of this effect changes anything.
   */
  simulate: Answer<Effect, Needs> | 'reads-only'
}

/** What a call comes to whose conversation is deleted meanwhile: nobody waits for it, and nothing is to be mended. */
export const CONVERSATION_GONE = { ok: false, error: 'The conversation no longer exists.' } as const

/** Who answers the calls of an effect; it needs so much of their context. */
export interface EffectHandler<Needs = CallContext> {
  readonly effect: EffectDefinition
  readonly answer: (request: Json, context: Needs) => Promise<Json>
}

/**
 * Handles an effect, `by` what carries it out. Each request is parsed once, here: one that does not fit is a failure that says why, and no
 * handler sees it. Whether a call is carried out or simulated is decided here alone.
 */
export const handleEffect = <Effect extends EffectDefinition>(effect: Effect) => ({
  // a step of its own: TypeScript checks what is answered by the effect's types only where these are settled
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

/** The handlers of a process, by the names of their effects. */
export type EffectHandlers = Map<string, EffectHandler>

/** Adds handlers to those that there are. @throws for one of an effect that has one */
export function addHandlers(handlers: EffectHandlers, added: readonly EffectHandler[]): EffectHandlers {
  for (const handler of added) {
    const { name } = handler.effect
    if (handlers.has(name)) throw new Error(`The effect '${name}' has a handler already.`)
    handlers.set(name, handler)
  }
  return handlers
}
