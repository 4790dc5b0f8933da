/** Thrown by every call that did not succeed; `message` is a sentence to show, as the server or SPEC.md 8 words it. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  /** the server's stable code, or the number in SPEC.md 8's text */
  readonly code: string | undefined
  /** the HTTP status; undefined when there was no response */
  readonly status: number | undefined
  /** what is wrong with which field of the body, for forms */
  readonly fields: Readonly<Record<string, string>>

  constructor(
    message: string,
    {
      code,
      status,
      fields = {},
      cause,
    }: {
      code?: string
      status?: number
      fields?: Record<string, string>
      cause?: unknown
    } = {},
  ) {
    super(message, { cause })
    this.code = code
    this.status = status
    this.fields = fields
  }
}

/** What is wrong with which field. */
export const fieldsOf = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof ApiFailure ? error.fields : {}

/** The sentence for anything that was thrown. */
export function failureText(error: unknown, fallback: string): string {
  return error instanceof ApiFailure && error.message ? error.message : fallback
}

/** What is wrong with one field, or the whole sentence. */
export function fieldOr(error: unknown, field: string, fallback: string): string {
  return (error instanceof ApiFailure && error.fields[field]) || failureText(error, fallback)
}
