import { z } from 'zod'
import type { Json } from '../values/json'

/** A call outside that a flow may make: the one shape of it for blocks, who carries it out, the command line and tests. */
export interface EffectDefinition<Request extends z.ZodType = z.ZodType, Result extends z.ZodType = z.ZodType> {
  /** stands in the records of conversations and in kept tests: never changed */
  readonly name: string
  /** what is asked; it is sent as the block wrote it, and parsed by who carries it out */
  readonly request: Request
  /** what a block reads of the result: as lenient as the oldest result that a kept test may hold. A failure fits too */
  readonly result: Result
}

/** What a block asks. */
export type RequestOf<Effect extends EffectDefinition> = z.input<Effect['request']>
/** What its handler is given. */
export type ParsedRequestOf<Effect extends EffectDefinition> = z.output<Effect['request']>
/** What a block is given. */
export type ResultOf<Effect extends EffectDefinition> = z.output<Effect['result']>
/** What its handler gives. */
export type AnswerOf<Effect extends EffectDefinition> = z.input<Effect['result']>

/** What every call may come to: it could not be made, and why. For the results of effects, beside their own. */
export const failureSchema = z.object({
  ok: z.literal(false).default(false),
  /** for an editor, or a word that the block knows */
  error: z.string(),
})

/** What stands for a result that is none. */
export const CALL_FAILED = { ok: false, error: 'The call failed.' } as const

/**
 * Declares an effect; blocks `call` it (flow/steps.ts), the server handles it (server/platform/effects/handleEffect.ts).
 * @throws when its result has no room for a failure: a call may always fail
 */
export function defineEffect<Request extends z.ZodType, Result extends z.ZodType>(
  effect: EffectDefinition<Request, Result>,
): EffectDefinition<Request, Result> {
  if (!effect.result.safeParse(CALL_FAILED).success) throw new Error(`The result of '${effect.name}' takes no failure.`)
  return effect
}

/** What a block reads of a result; what is none of the effect's is the failure of the call. */
export function resultOf<Effect extends EffectDefinition>(effect: Effect, result: Json): ResultOf<Effect> {
  const read = effect.result.safeParse(result)
  return (read.success ? read.data : effect.result.parse(CALL_FAILED)) as ResultOf<Effect>
}

/** Of a result that kept tests may hold otherwise: left out where it is not as it should be. */
export const optional = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)
