import type { InputRequest } from '../../../../engine/flow/conversation'

/** The option by which a channel lets a question be skipped, beside the question's own. */
export const SKIP_OPTION = '~skip'

/** Whether a question may be left unanswered. */
export function isSkippable(request: InputRequest): boolean {
  if (request.input === 'wait') return false
  return request.input === 'choice' ? request.skippable === true : !request.required
}
