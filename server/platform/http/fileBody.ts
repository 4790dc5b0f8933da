import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors'

export interface OpenedBody {
  /** its beginning: as many bytes as were wanted, fewer where it ends before */
  head: Uint8Array
  /** all of it, from the beginning; throws `tooLarge` above the cap */
  bytes: AsyncIterable<Uint8Array>
  /** reads the rest and forgets it: a connection that is cut meanwhile would lose the sender the answer */
  drop(): void
}

/** Begins to read a body that is a file. Throws ApiError malformed when it breaks off, and from `bytes` what `tooLarge` makes. */
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
    // the sender has gone
  }
}

/** The body's length in bytes, as the sender says; 0 where he doesn't. */
export const lengthOf = (request: FastifyRequest): number => Number(request.headers['content-length'] ?? 0)
