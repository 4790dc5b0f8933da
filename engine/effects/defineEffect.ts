import { z } from 'zod'
import type { Json } from '../values/json'

/** A call that a flow may make to its surroundings; shared by blocks, handlers, the command line and tests. */
export interface EffectDefinition<Request extends z.ZodType = z.ZodType, Result extends z.ZodType = z.ZodType> {
  /** stored in records of conversations and in kept tests: never changes */
  readonly name: string
  /** the request as the block writes it; the handler parses it */
  readonly request: Request
  /**
   * what a block reads of the result: as lenient as the oldest result that a kept test may hold. A failure must be
   * allowed, too
   */
  readonly result: Result
}

/** What a block passes. */
export type RequestOf<Effect extends EffectDefinition> = z.input<Effect['request']>
/** What the handler gets. */
export type ParsedRequestOf<Effect extends EffectDefinition> = z.output<Effect['request']>
/** What a block gets. */
export type ResultOf<Effect extends EffectDefinition> = z.output<Effect['result']>
/** What the handler returns. */
export type AnswerOf<Effect extends EffectDefinition> = z.input<Effect['result']>

/** A failed call with its reason. Every effect's result includes it. */
export const failureSchema = z.object({
  ok: z.literal(false).default(false),
  /** a text for an editor, or a code that the block knows */
  error: z.string(),
})

/** Replaces an invalid result. */
export const CALL_FAILED = { ok: false, error: 'The call failed.' } as const

/**
 * Declares an effect. Blocks `call` it (flow/steps.ts), the server handles it
 * (server/platform/effects/handleEffect.ts).
 * @throws if the result schema does not accept a failure: any call may fail
 */
export function defineEffect<Request extends z.ZodType, Result extends z.ZodType>(
  effect: EffectDefinition<Request, Result>,
): EffectDefinition<Request, Result> {
  if (!effect.result.safeParse(CALL_FAILED).success) throw new Error(`The result of '${effect.name}' takes no failure.`)
  return effect
}

/** Parses a result for a block; an invalid one becomes a failed call. */
export function resultOf<Effect extends EffectDefinition>(effect: Effect, result: Json): ResultOf<Effect> {
  const read = effect.result.safeParse(result)
  return (read.success ? read.data : effect.result.parse(CALL_FAILED)) as ResultOf<Effect>
}

/** A field of a result that kept tests may hold in another form: absent if it is invalid. */
export const optional = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)
