import { createHash, createHmac, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { Agent, request } from 'undici'
import { z } from 'zod'
import { trusted } from '../trusted'
import { AcmeProblem, retryAfterOf } from './acmeProblem'

const directorySchema = z.object({
  newNonce: z.string(),
  newAccount: z.string(),
  newOrder: z.string(),
  renewalInfo: z.string().optional(),
})
export type Directory = z.infer<typeof directorySchema>

const problemSchema = z.object({
  type: z.string().default(''),
  detail: z.string().default(''),
  subproblems: z.array(z.object({ type: z.string().default(''), detail: z.string().default('') })).default([]),
})
export type ProblemDocument = z.input<typeof problemSchema>

export interface AcmeAnswer {
  status: number
  /** the URL of the created resource (Location header) */
  location: string
  body: unknown
  text: string
  retryAfter: Date | null
}

interface AcmeClientOptions {
  directory: string
  /** the account's key, EC P-256 */
  key: KeyObject
  clock: () => Date
  signal: AbortSignal
  ca?: string | undefined
}

const TIMEOUT = 20_000
const MOST_BYTES = 200_000
/** A server may refuse a nonce through no fault of the client (RFC 8555, 6.5). */
const NONCE_TRIES = 12
const PROBLEM = 'urn:ietf:params:acme:error:'

const base64url = (value: string | Uint8Array): string => Buffer.from(value).toString('base64url')
const encoded = (value: unknown): string => base64url(JSON.stringify(value))

/** The requests of RFC 8555, each signed with the account's key and a nonce of the server. */
export class AcmeClient {
  readonly #options: AcmeClientOptions
  readonly #agent: Agent
  readonly #jwk: { crv: string; kty: string; x: string; y: string }
  #directory: Directory | null = null
  #nonce: string | null = null
  #account: string | null = null

  constructor(options: AcmeClientOptions) {
    this.#options = options
    this.#agent = new Agent({ connect: trusted(options.ca), headersTimeout: TIMEOUT, bodyTimeout: TIMEOUT })
    const { crv = '', kty = '', x = '', y = '' } = createPublicKey(options.key).export({ format: 'jwk' })
    this.#jwk = { crv, kty, x, y }
  }

  async directory(): Promise<Directory> {
    this.#directory ??= directorySchema.parse((await this.#send('GET', this.#options.directory)).body)
    return this.#directory
  }

  /** The response to a challenge's token (RFC 8555, 8.1). */
  keyAuthorization(token: string): string {
    // the key's members in the order of RFC 7638
    return `${token}.${createHash('sha256').update(JSON.stringify(this.#jwk)).digest('base64url')}`
  }

  /**
   * Creates the account, or finds the existing one with this key.
   * @param eab the account at the authority that it is bound to
   */
  async openAccount(email: string | null, eab: { kid: string; hmac: string } | null): Promise<void> {
    const { newAccount } = await this.directory()
    const { location } = await this.post(newAccount, {
      termsOfServiceAgreed: true,
      ...(email && { contact: [`mailto:${email}`] }),
      ...(eab && { externalAccountBinding: this.#binding(newAccount, eab) }),
    })
    this.#account = location
  }

  /** @param payload null: a read (POST-as-GET). @throws AcmeProblem if the server refuses */
  async post(url: string, payload: object | null): Promise<AcmeAnswer> {
    for (let left = NONCE_TRIES; ; left--) {
      const nonce = this.#nonce ?? (await this.#newNonce())
      this.#nonce = null
      const key = this.#account ? { kid: this.#account } : { jwk: this.#jwk }
      const head = encoded({ alg: 'ES256', nonce, url, ...key })
      const body = payload === null ? '' : encoded(payload)
      const signature = sign('sha256', Buffer.from(`${head}.${body}`), {
        key: this.#options.key,
        dsaEncoding: 'ieee-p1363',
      })
      const answer = await this.#send('POST', url, { protected: head, payload: body, signature: base64url(signature) })
      if (answer.status < 400) return answer
      const problem = problemOf(answer)
      if (problem.type !== 'badNonce' || left <= 1) throw problem
    }
  }

  /** A request without a signature. */
  get(url: string): Promise<AcmeAnswer> {
    return this.#send('GET', url)
  }

  close(): void {
    this.#agent.destroy().catch(() => undefined)
  }

  async #newNonce(): Promise<string> {
    await this.#send('HEAD', (await this.directory()).newNonce)
    if (this.#nonce === null) throw new AcmeProblem('', 'The certificate authority gave no nonce.')
    return this.#nonce
  }

  async #send(method: 'GET' | 'HEAD' | 'POST', url: string, body?: object): Promise<AcmeAnswer> {
    const { clock, signal } = this.#options
    const answer = await request(url, {
      dispatcher: this.#agent,
      method,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
      headers: { 'user-agent': 'Parley', ...(body && { 'content-type': 'application/jose+json' }) },
      body: body ? JSON.stringify(body) : null,
    }).catch((cause: unknown) => {
      signal.throwIfAborted()
      throw new AcmeProblem('', `The certificate authority can't be reached: ${reasonOf(cause)}`)
    })
    const nonce = answer.headers['replay-nonce']
    if (typeof nonce === 'string') this.#nonce = nonce
    let text = ''
    for await (const chunk of answer.body.setEncoding('utf8')) {
      text += chunk
      if (text.length > MOST_BYTES) throw new AcmeProblem('', 'The certificate authority answered at too great length.')
    }
    const type = String(answer.headers['content-type'] ?? '')
    return {
      status: answer.statusCode,
      location: String(answer.headers.location ?? ''),
      body: type.includes('json') ? parsed(text) : null,
      text,
      retryAfter: retryAfterOf(answer.headers['retry-after'], clock()),
    }
  }

  /** RFC 8555, 7.3.4. */
  #binding(url: string, { kid, hmac }: { kid: string; hmac: string }) {
    const head = encoded({ alg: 'HS256', kid, url })
    const payload = encoded(this.#jwk)
    const signature = createHmac('sha256', Buffer.from(hmac, 'base64url'))
      .update(`${head}.${payload}`)
      .digest('base64url')
    return { protected: head, payload, signature }
  }
}

/** The problem in a response, an order or a challenge. */
export function problemOf({
  status,
  body,
  retryAfter,
}: Pick<AcmeAnswer, 'status' | 'body' | 'retryAfter'>): AcmeProblem {
  const read = problemSchema.safeParse(body)
  if (!read.success) return new AcmeProblem('', `The certificate authority answered ${status}.`, retryAfter)
  const { subproblems, ...whole } = read.data
  // of several problems the first is specific; the outer one is `compound`
  const { type, detail } = subproblems[0] ?? whole
  return new AcmeProblem(type.replace(PROBLEM, ''), detail, retryAfter)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
