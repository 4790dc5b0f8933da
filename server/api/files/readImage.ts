import { IMAGE_CAP, type ImageType } from '../../../engine/values/imageFile'
import { ApiError } from '../../errors'
import { HEAD, recogniseImage } from './imageType'

/**
 * Begins to read an image: tells its type by its first bytes, then hands on all of its bytes as they come.
 * @throws ApiError `unsupported_type` for another type, at once; from `bytes`, `too_large` above the cap. What the sender still has to
 * say is then read and dropped, since a connection that is cut meanwhile would lose him the answer.
 */
export async function readImage(
  body: AsyncIterable<Uint8Array>,
): Promise<{ type: ImageType; bytes: AsyncIterable<Uint8Array> }> {
  const source = body[Symbol.asyncIterator]()
  const next = () =>
    source.next().catch((cause: unknown) => {
      throw new ApiError('malformed', { message: 'The upload was broken off.', cause })
    })
  let head: Uint8Array = new Uint8Array()
  while (head.length < HEAD) {
    const { done, value } = await next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  const recognised = recogniseImage(head)
  if ('found' in recognised) {
    void drain(source)
    throw new ApiError('unsupported_type', {
      message: `This file is ${recognised.found}. An image can be a PNG, JPEG, GIF, WebP or AVIF.`,
    })
  }

  async function* bytes() {
    let sum = head.length
    try {
      yield head
      for (let part = await next(); !part.done; part = await next()) {
        sum += part.value.length
        if (sum > IMAGE_CAP) throw tooLarge()
        yield part.value
      }
    } finally {
      void drain(source)
    }
  }
  return { type: recognised.type, bytes: bytes() }
}

export const tooLarge = () =>
  new ApiError('too_large', {
    message: `This image is larger than ${IMAGE_CAP / 1_000_000} MB. Choose a smaller one.`,
  })

async function drain(source: AsyncIterator<Uint8Array>): Promise<void> {
  try {
    while (!(await source.next()).done);
  } catch {
    // the sender has gone
  }
}
