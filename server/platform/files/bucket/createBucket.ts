import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, type Dispatcher, request } from 'undici'
import type { BucketSettings } from '../../config/bucketSettings'
import { ApiError } from '../../errors'
import type { ByteRange } from '../files'
import { type CallBucket, putLargeFile } from './putLargeFile'

/** An object of a bucket, as a list names it: its key without the bucket's prefix. */
export interface Listed {
  key: string
  bytes: number
  changed: Date
}
/** What a bucket can do; keys are of letters, digits, `/` and `-`. */
export type Bucket = ReturnType<typeof createBucket>

/** In ms: to connect, to the answer's beginning, and between two parts of it. */
const CONNECT = 10_000
const SILENCE = 60_000
/** Bytes of a list of a thousand objects, many times over. */
const LONGEST_ANSWER = 4_000_000
/** In seconds: how long an address works that a browser is sent to. */
const LINK_LASTS = 300
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/**
 * A bucket of S3-compatible storage, by paths that begin with its name. Its address is the operator's: it may be in a
 * private network.
 */
export function createBucket(settings: BucketSettings) {
  const agent = new Agent({ connect: { timeout: CONNECT }, headersTimeout: SILENCE, bodyTimeout: SILENCE })

  const addressOf = (base: string, key: string, query: Record<string, string> = {}) =>
    `${base}/${settings.bucket}${key && `/${settings.prefix}${key}`}?${new URLSearchParams(query)}`.replace(/\?$/, '')
  const signed = (method: string, url: string, headers: Record<string, string>, asLink = false) => {
    const { accessKeyId, secretAccessKey, region } = settings
    return new AwsV4Signer({
      method,
      url,
      headers,
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      signQuery: asLink,
    }).sign()
  }

  /** @returns the answer; null for 404. @throws ApiError `unavailable` */
  const call: CallBucket = async (method, key, given = {}) => {
    const headers = { 'x-amz-content-sha256': EMPTY, ...given.headers }
    const { url, headers: withSignature } = await signed(
      method,
      addressOf(settings.endpoint, key, given.query),
      headers,
    )
    const send = () =>
      request(url, {
        ...{ method, headers: Object.fromEntries(withSignature), dispatcher: agent },
        ...(given.body && { body: given.body() }),
      })
    // every call can be made twice
    const answer = await send()
      .then((first) => (first.statusCode < 500 ? first : first.body.dump().then(send)))
      .catch(send)
      .catch((cause: unknown) => {
        throw new ApiError('unavailable', { cause })
      })
    if (answer.statusCode < 300) return answer
    if (answer.statusCode === 404) {
      await answer.body.dump()
      return null
    }
    const why = (await textOf(answer)).slice(0, 500)
    const cause = new Error(`The bucket ${settings.bucket} answered ${method} with ${answer.statusCode}: ${why}`)
    throw new ApiError('unavailable', { cause })
  }
  const done = async (answer: Dispatcher.ResponseData | null) => {
    await answer?.body.dump()
    return answer !== null
  }

  return {
    /** Writes a file of this machine under a key. The service checks its bytes against the hash. */
    async putFile(key: string, file: { path: string; sha256: string; bytes: number }): Promise<void> {
      const headers = { 'x-amz-content-sha256': file.sha256, 'content-length': String(file.bytes) }
      await done(await call('PUT', key, { headers, body: () => createReadStream(file.path) }))
    },

    /** Writes a file of any size, by parts that the service puts together. */
    putLargeFile: (key: string, path: string): Promise<void> => putLargeFile(call, key, path),

    /** @param alone refuses, with false, if there is one; services that don't know the condition replace it */
    async putText(key: string, text: string, { alone = false } = {}): Promise<boolean> {
      const headers = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', 'content-length': String(Buffer.byteLength(text)) }
      try {
        return await done(
          await call('PUT', key, { headers: { ...headers, ...(alone && { 'if-none-match': '*' }) }, body: () => text }),
        )
      } catch (error) {
        if (alone && String((error as Error).cause).includes(' 412: ')) return false
        throw error
      }
    },

    async getText(key: string): Promise<string | null> {
      const answer = await call('GET', key)
      return answer && textOf(answer)
    },

    /** The bytes as they arrive; null: there are none. */
    async read(key: string, range?: ByteRange): Promise<Readable | null> {
      const answer = await call('GET', key, { headers: range ? { range: `bytes=${range.start}-${range.end}` } : {} })
      return answer?.body ?? null
    },

    /** When it was written last; null: it is not there. */
    async changed(key: string): Promise<Date | null> {
      const answer = await call('HEAD', key)
      await answer?.body.dump()
      return answer && new Date(String(answer.headers['last-modified']))
    },

    /** @returns false: there is none to be copied */
    async copy(from: string, to: string): Promise<boolean> {
      const source = `/${settings.bucket}/${settings.prefix}${from}`
      return done(await call('PUT', to, { headers: { 'x-amz-copy-source': source, 'content-length': '0' } }))
    },

    async remove(key: string): Promise<void> {
      await done(await call('DELETE', key))
    },

    /** All objects whose keys begin so, a thousand to a call. */
    async *list(prefix: string): AsyncGenerator<Listed> {
      let token: string | undefined
      do {
        const query = {
          'list-type': '2',
          prefix: settings.prefix + prefix,
          ...(token && { 'continuation-token': token }),
        }
        const answer = await call('GET', '', { query })
        const text = answer ? await textOf(answer) : ''
        for (const object of text.split('<Contents>').slice(1)) {
          const key = within(object, 'Key').slice(settings.prefix.length)
          yield { key, bytes: Number(within(object, 'Size')), changed: new Date(within(object, 'LastModified')) }
        }
        token = within(text, 'NextContinuationToken') || undefined
      } while (token)
    },

    /** An address that shows the bytes to whoever has it, for five minutes; null: browsers can't reach the bucket. */
    async link(key: string, { type, disposition }: { type: string; disposition: string }): Promise<string | null> {
      if (settings.browserUrl === null) return null
      const query = {
        'X-Amz-Expires': String(LINK_LASTS),
        'response-content-type': type,
        'response-content-disposition': disposition,
      }
      return (await signed('GET', addressOf(settings.browserUrl, key, query), {}, true)).url.href
    },
  }
}

/** The text of an element without others in it: of what we look for, XML writes one character differently at most. */
const within = (xml: string, element: string): string =>
  xml.split(`<${element}>`)[1]?.split(`</${element}>`)[0]?.replaceAll('&amp;', '&') ?? ''

async function textOf(answer: Dispatcher.ResponseData): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of answer.body) {
    bytes += part.length
    if (bytes > LONGEST_ANSWER)
      throw new ApiError('unavailable', { cause: new Error('The answer of the bucket is too long') })
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
