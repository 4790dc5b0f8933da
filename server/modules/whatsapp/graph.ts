import type { Json } from '../../../engine/values/json'
import type { ServerContext } from '../../platform/context'
import { parseJson } from '../../platform/http/parseJson'
import { type AllowedNetwork, parseNetworks } from '../../platform/outbound/addresses'
import { OutboundError } from '../../platform/outbound/errors'
import { createOutboundFetch, type OutboundRequest } from '../../platform/outbound/outboundFetch'
import { explainGraph, GraphError } from './graphError'

const TIMEOUT_MS = 20_000
const MOST_ANSWER = 1_000_000
/** Messages go out over connections that are kept: opening one takes longer than a message. */
const MOST_CONNECTIONS = 32
/** Of what people send: a document has at most 100 MB at WhatsApp; larger than ours are left out. */
const MOST_MEDIA = 16_000_000

/** Whether it is unknown if a call had its effect: its answer got lost. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost'
}

/** Failures before a request was on its way. */
const NEVER_SENT: ReadonlySet<string> = new Set([
  ...['invalid_url', 'private_address', 'metadata_address', 'unknown_host', 'refused', 'tls'],
])

/**
 * Calls of WhatsApp's Graph interface, with the token of a number. Through the guarded fetch, bounded in time and size.
 */
export function createGraph({ config }: Pick<ServerContext, 'config'>) {
  // the operator has set the address: if it is one of this machine, a sandbox or a test, it is meant
  const allowed = [...config.outboundAllow, ...networksOf(config.vendors.whatsapp.apiUrl)]
  const fetchGraph = createOutboundFetch({ allowed, kept: MOST_CONNECTIONS })
  // files lie elsewhere
  const fetchFile = createOutboundFetch({ allowed })

  /** @throws GraphError for a refusal, AnswerLost if it may have been carried out all the same */
  const call = (token: string, method: string, path: string, json?: Json): Promise<Json> => {
    const { apiUrl, version } = config.vendors.whatsapp
    return request({
      ...{ method, url: `${apiUrl}/${version}/${path}`, body: json === undefined ? null : JSON.stringify(json) },
      headers: [
        ['Authorization', `Bearer ${token}`],
        ['Accept', 'application/json'],
        ...(json === undefined ? [] : ([['Content-Type', 'application/json']] as const)),
      ],
    })
  }

  /** @throws GraphError, AnswerLost */
  async function request(sent: Pick<OutboundRequest, 'method' | 'url' | 'body' | 'headers'>): Promise<Json> {
    const answer = await fetchGraph({
      ...{ timeoutMs: TIMEOUT_MS, maxBytes: MOST_ANSWER, larger: 'fail', maxRedirects: 0 },
      ...sent,
    }).catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error
      if (NEVER_SENT.has(error.code)) throw new GraphError(null, 'wait', error.message)
      throw new AnswerLost(error.message, { cause: error })
    })
    const parsed = answer.body.length === 0 ? { refused: 'malformed' as const } : parseJson(answer.body)
    const body = 'refused' in parsed ? undefined : (parsed.value as Json)
    if (answer.status >= 300) throw explainGraph(answer.status, body)
    if (body === undefined) throw new AnswerLost('WhatsApp answered something that can’t be read.')
    return body
  }

  return {
    get: (token: string, path: string) => call(token, 'GET', path),
    post: (token: string, path: string, json: Json) => call(token, 'POST', path, json),
    remove: (token: string, path: string) => call(token, 'DELETE', path),

    /**
     * Gives WhatsApp a file by way of an app, in two calls. @returns what the file is named by, for a profile or a
     * template @throws GraphError, AnswerLost
     */
    async upload(token: string, appId: string, { name, type, bytes }: GraphFile): Promise<string> {
      const query = new URLSearchParams({ file_name: name, file_length: String(bytes.length), file_type: type })
      const session = textOf(await call(token, 'POST', `${appId}/uploads?${query}`), 'id')
      if (!session?.startsWith('upload:')) throw new AnswerLost('WhatsApp did not say where the file goes.')
      const { apiUrl, version } = config.vendors.whatsapp
      const handle = textOf(
        await request({
          ...{ method: 'POST', url: `${apiUrl}/${version}/${session}`, body: bytes },
          headers: [
            ['Authorization', `OAuth ${token}`],
            ['file_offset', '0'],
            ['Content-Type', 'application/octet-stream'],
          ],
        }),
        'h',
      )
      if (handle === null) throw new AnswerLost('WhatsApp did not say what the file is called.')
      return handle
    },

    /**
     * The bytes of what a person sent. Its address lives for five minutes, so it is asked for now.
     * @throws GraphError, AnswerLost, OutboundError
     */
    async media(token: string, id: string): Promise<Uint8Array> {
      const found = await call(token, 'GET', id)
      const url = typeof found === 'object' && found !== null && 'url' in found ? String(found.url) : ''
      if (typeof found === 'object' && found !== null && 'file_size' in found && Number(found.file_size) > MOST_MEDIA)
        throw new OutboundError('too_large', '16 MB')
      const answer = await fetchFile({
        ...{ url, timeoutMs: TIMEOUT_MS, maxBytes: MOST_MEDIA, larger: 'fail' },
        headers: [
          ['Authorization', `Bearer ${token}`],
          ['User-Agent', 'Parley'],
        ],
      })
      // the address has an end: it is asked for again next time
      if (answer.status !== 200)
        throw new GraphError(null, 'retry', `The file could not be fetched (${answer.status}).`)
      return answer.body
    },
  }
}
/** Why a file that a person sent can't be had; null: it may be had later. */
export function whyNoMedia(error: unknown): 'file_too_large' | 'file_missing' | null {
  if (error instanceof OutboundError)
    return error.code === 'too_large' ? 'file_too_large' : NEVER_SENT.has(error.code) ? 'file_missing' : null
  return error instanceof GraphError && error.action === 'drop' ? 'file_missing' : null
}

/** A file for WhatsApp: JPEG or PNG, MP4, or PDF. */
export interface GraphFile {
  name: string
  type: string
  bytes: Uint8Array
}

const textOf = (answer: Json, field: string): string | null => {
  const fields = typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? answer : {}
  const text = fields[field]
  return typeof text === 'string' ? text : null
}

export type Graph = ReturnType<typeof createGraph>

const networksOf = (url: string): AllowedNetwork[] =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname) ? parseNetworks('127.0.0.0/8, ::1') : []
