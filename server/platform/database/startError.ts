/** A reason why Parley can't start that a person can mend: shown as one line, without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}
