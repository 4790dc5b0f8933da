import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors'

export interface OpenedBody {
  /** the first bytes, as many as requested; fewer if it is shorter */
  head: Uint8Array
  /** the whole body from the beginning; throws `tooLarge` above the cap */
  bytes: AsyncIterable<Uint8Array>
  /** reads and discards the rest: closing the connection early would lose the response */
  drop(): void
}

/**
 * Starts to read a body that is a file. Throws ApiError malformed if it is aborted; `bytes` throws what `tooLarge`
 * returns.
 */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  limits: { head: number; cap: number; tooLarge: () => ApiError },
): Promise<OpenedBody> {
  const source = body[Symbol.asyncIterator]()
  const next = () =>
    source.next().catch((cause: unknown) => {
      throw new ApiError('malformed', { message: 'The upload was interrupted.', cause })
    })
  let head: Uint8Array = new Uint8Array()
  while (head.length < limits.head) {
    const { done, value } = await next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  const drop = () => void drain(source)

  async function* bytes() {
    let sum = head.length
    try {
      if (sum > limits.cap) throw limits.tooLarge()
      yield head
      for (let part = await next(); !part.done; part = await next()) {
        sum += part.value.length
        if (sum > limits.cap) throw limits.tooLarge()
        yield part.value
      }
    } finally {
      drop()
    }
  }
  return { head, bytes: bytes(), drop }
}

async function drain(source: AsyncIterator<Uint8Array>): Promise<void> {
  try {
    while (!(await source.next()).done);
  } catch {
    // the client disconnected
  }
}

/** The body's length according to its header; 0 without one. */
export const lengthOf = (request: FastifyRequest): number => Number(request.headers['content-length'] ?? 0)
