import type { Json } from '../../engine/values/json'
import { type AnswerDebug, answerDebugSchema } from '../../server/contracts/answers'

/** The record of an AI answer in a call's result; null: it has none, or one that was cut short. */
export function recordIn(result: Json): AnswerDebug | null {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return null
  return answerDebugSchema.safeParse(result.debug).data ?? null
}
