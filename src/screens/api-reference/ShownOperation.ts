import type { ApiOperation } from '../../api/publicApi'

/** An operation with what its card needs to show it and to try it. */
export interface ShownOperation {
  /** lower case */
  method: string
  path: string
  operation: ApiOperation
  /** the API's address */
  server: string
  /** what calls are tried with; empty: none was entered */
  apiKey: string
}
