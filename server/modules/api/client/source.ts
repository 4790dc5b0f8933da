import { describeApi } from '../openapi'
import { listOperations } from '../operations'
import { type ApiDocument, generateClient } from './generateClient'

/**
 * @returns the client's `index.ts`, from what the API can do. Nothing is carried out, so what carries it out is not
 * needed.
 */
export const clientSource = (): string =>
  generateClient(
    describeApi(listOperations({ ids: () => '' }, {} as never), 'https://parley.example.com') as unknown as ApiDocument,
  )
