/** What is wrong with an expression, for its author. */
export interface ExpressionProblem {
  /** a sentence without a full stop */
  message: string
  /** position in the source, in characters from 0; a variable counts as one */
  at: number
}

/** Internal to this folder: thrown and caught inside it. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
  constructor(
    message: string,
    readonly at = 0,
  ) {
    super(message)
  }
}

/** `Nothing fits here: “)” (at 4)`: the text at the field and in the trace. */
export const describeProblem = ({ message, at }: ExpressionProblem): string => `${message} (character ${at + 1})`
