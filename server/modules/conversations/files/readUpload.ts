import { type MediaType, type Medium, mediaCaps } from '../../../../engine/values/mediaFile'
import { ApiError } from '../../../platform/errors'
import { HEAD, recogniseMedia } from '../../../platform/files/mediaType'
import { readBody } from '../../../platform/http/fileBody'

/**
 * Starts to read an upload: detects its type by its first bytes, then passes on all bytes as they arrive.
 * @throws ApiError `unsupported_type` for another type, at once; from `bytes`, `too_large` above the limit. The rest of
 *   the request is then read and dropped: if the connection were closed meanwhile, the sender would not get the answer.
 */
export async function readUpload(
  body: AsyncIterable<Uint8Array>,
  medium: Medium,
): Promise<{ type: MediaType; bytes: AsyncIterable<Uint8Array> }> {
  const opened = await readBody(body, { head: HEAD, cap: mediaCaps[medium], tooLarge: () => tooLarge(medium) })
  const recognised = recogniseMedia(opened.head, medium)
  if ('found' in recognised) {
    opened.drop()
    throw new ApiError('unsupported_type', {
      message: `This file is ${recognised.found}. ${possible[medium]}`,
    })
  }
  return { type: recognised.type, bytes: opened.bytes }
}

const possible: Record<Medium, string> = {
  image: 'An image can be a PNG, JPEG, GIF, WebP or AVIF.',
  video: 'A video can be an MP4, WebM or Ogg.',
  audio: 'A sound can be an MP3, WAV, Ogg or M4A.',
  document: 'A document can be a PDF.',
}
const names: Record<Medium, string> = { image: 'image', video: 'video', audio: 'sound', document: 'document' }

export const tooLarge = (medium: Medium) =>
  new ApiError('too_large', {
    message: `This ${names[medium]} is larger than ${mediaCaps[medium] / 1_000_000} MB. Choose a smaller one.`,
  })
