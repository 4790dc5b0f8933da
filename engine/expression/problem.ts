/** What is wrong with an expression, for the person who wrote it. */
export interface ExpressionProblem {
  /** a sentence without a full stop */
  message: string
  /** where in the source, in characters from 0; a variable counts as one */
  at: number
}

/** Thrown inside this folder and caught at its door. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
  constructor(
    message: string,
    readonly at = 0,
  ) {
    super(message)
  }
}

/** `Nothing fits here: “)” (at 4)`, as it stands at the field and in the trace. */
export const describeProblem = ({ message, at }: ExpressionProblem): string => `${message} (character ${at + 1})`
