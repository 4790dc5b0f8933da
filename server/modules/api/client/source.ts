import { describeApi } from '../openapi'
import { listOperations } from '../operations'
import { type ApiDocument, generateClient } from './generateClient'

/**
 * @returns the client's `index.ts`, from what the API can do. Nothing is carried out, so what carries it out is not
 * needed.
 */
export async function clientSource(): Promise<string> {
  const operations = listOperations({ ids: () => '' }, {} as never)
  return generateClient((await describeApi(operations, 'https://parley.example.com')) as unknown as ApiDocument)
}
