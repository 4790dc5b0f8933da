import type { Json } from '../values/json'
import type { Program } from './program'
import type { Session } from './session'
import { VariableStore } from './variables'

/**
 * Sets variables of a session in the debugger, as if a block had set them. What the waiting block itself set before it
 * asked is set again when it continues.
 * @param values by variable id, of the session's current flow
 * @returns `problems` by variable id: values that can't be stored; then none is set
 */
export function setByHand(
  program: Program,
  session: Session,
  values: Readonly<Record<string, Json>>,
): { session: Session; problems: Record<string, string> } {
  const known = program.flow(session.flowId)?.variables ?? {}
  const elsewhere = session.frames.flatMap(({ variables }) => (variables === null ? [] : [variables]))
  const store = new VariableStore(session.variables, elsewhere)
  const problems: Record<string, string> = {}
  for (const [id, value] of Object.entries(values)) {
    const problem = Object.hasOwn(known, id) ? store.set(id, value) : 'The flow has no such variable.'
    if (problem) problems[id] = problem
  }
  if (Object.keys(problems).length > 0) return { session, problems }
  return { session: { ...session, variables: { ...store.present } }, problems }
}
