import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../errors'
import { createThreads, type RunTask } from '../workers/createThreads'
import { ownBuffers } from '../workers/ownBuffers'
import { TaskError } from '../workers/taskError'
import { type ParsedJson, parseJson } from './parseJson'
import { parseJson as parseInThread } from './tasks'

/**
 * Smaller bodies are parsed at once, in a millisecond or two; larger ones, such as a flow's file, in a worker thread.
 */
const INLINE_BYTES = 256_000
/** For the largest bodies: the text, and as much again for the parsed value. */
const LIMITS = { timeMs: 10_000, heapMb: 512 }

/** Accepts only JSON bodies, and none that is deeply nested or writes to a prototype. */
export function readJsonOnly(app: FastifyInstance, run: RunTask = createThreads(LIMITS)): void {
  const read = async (body: Buffer, owner: string): Promise<ParsedJson> => {
    if (body.length < INLINE_BYTES) return parseJson(body)
    return run(parseInThread, body, { owner, transfer: ownBuffers(body) })
  }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async ({ ip }: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return undefined
    const parsed = await read(body, ip).catch((error: unknown) => {
      if (error instanceof TaskError && error.fault !== 'lost') throw new ApiError('too_large', { cause: error })
      throw error
    })
    if ('refused' in parsed) throw new ApiError(parsed.refused)
    return parsed.value
  })
}
