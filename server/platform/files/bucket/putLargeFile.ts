import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { ApiError } from '../../errors'

/** A call to a bucket's service. @returns the answer; null for 404. @throws ApiError `unavailable` */
export type CallBucket = (
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE',
  key: string,
  given?: {
    query?: Record<string, string>
    headers?: Record<string, string>
    /** made anew for a second try */
    body?: () => Readable | string
  },
) => Promise<Dispatcher.ResponseData | null>

/** Of each part but the last one, in bytes: the service takes 10,000 parts, of 5 MB to 5 GB each. */
const PART = 64 * 1024 * 1024

/**
 * Writes a file under a key, part by part (AWS, "Multipart upload"): one call takes 5 GB at most, and a part that fails
 * is sent again alone. The service compares the bytes of each part with its hash. It is there as a whole, or not.
 * @throws ApiError `unavailable`
 */
export async function putLargeFile(call: CallBucket, key: string, path: string): Promise<void> {
  const { size } = await stat(path)
  const begun = await call('POST', key, { query: { uploads: '' }, headers: { 'content-length': '0' } })
  const uploadId = element((await begun?.body.text()) ?? '', 'UploadId')
  if (!uploadId) throw new ApiError('unavailable', { cause: new Error('The bucket begins no upload in parts') })
  try {
    const parts: string[] = []
    for (let start = 0; start < size; start += PART) {
      const range = { start, end: Math.min(start + PART, size) - 1 }
      const number = parts.length + 1
      const answer = await call('PUT', key, {
        query: { partNumber: String(number), uploadId },
        headers: {
          'x-amz-content-sha256': await hashOf(path, range),
          'content-length': String(range.end + 1 - range.start),
        },
        body: () => createReadStream(path, range),
      })
      await answer?.body.dump()
      parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${String(answer?.headers.etag)}</ETag></Part>`)
    }
    const list = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
    const sha256 = createHash('sha256').update(list).digest('hex')
    const ended = await call('POST', key, {
      query: { uploadId },
      headers: {
        'x-amz-content-sha256': sha256,
        'content-type': 'application/xml',
        'content-length': String(Buffer.byteLength(list)),
      },
      body: () => list,
    })
    // it may fail after it has answered with 200
    const told = (await ended?.body.text()) ?? '<Error>'
    if (told.includes('<Error>')) throw new ApiError('unavailable', { cause: new Error(told.slice(0, 500)) })
  } catch (error) {
    // parts that are not put together are paid for
    await call('DELETE', key, { query: { uploadId } })
      .then((answer) => answer?.body.dump())
      .catch(() => {})
    throw error
  }
}

async function hashOf(path: string, range: { start: number; end: number }): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, range)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

const element = (xml: string, name: string): string => xml.split(`<${name}>`)[1]?.split(`</${name}>`)[0] ?? ''
