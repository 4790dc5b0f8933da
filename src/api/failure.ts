/** Thrown by every failed call; `message` is a sentence to show, from the server or SPEC.md 8. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  /** the server's stable code, or the number in SPEC.md 8's text */
  readonly code: string | undefined
  /** the HTTP status; undefined without a response */
  readonly status: number | undefined
  /** messages by field of the body, for forms */
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

/** Messages by field. */
export const fieldsOf = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof ApiFailure ? error.fields : {}

/** The sentence for anything thrown. */
export function failureText(error: unknown, fallback: string): string {
  return error instanceof ApiFailure && error.message ? error.message : fallback
}

/** The message of one field, otherwise the whole sentence. */
export function fieldOr(error: unknown, field: string, fallback: string): string {
  return (error instanceof ApiFailure && error.fields[field]) || failureText(error, fallback)
}
