import { ApiFailure, failureText } from '../../api/failure'

/** What is said at the first field that the server refused, or else of the failure. */
export const failureOf = (error: unknown, fallback: string): string =>
  (error instanceof ApiFailure && Object.values(error.fields)[0]) || failureText(error, fallback)
