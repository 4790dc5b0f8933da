/** A reason why Parley can't start that the operator can fix: shown as one line, without a stack trace. */
export class StartError extends Error {
  override name = 'StartError'
}
