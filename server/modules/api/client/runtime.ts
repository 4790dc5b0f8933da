/** What all operations of the client stand on. Packed beside the generated `index.ts`, so it imports nothing. */

export interface ClientOptions {
  /** the installation's address, such as `https://bots.example.com` */
  url: string
  /** an API key of a project */
  key: string
  /** how often a call that came too early (429) is sent again; default: 2 */
  retries?: number
  /** a call that is told to come back later than in so many seconds fails at once; default: 60 */
  longestWait?: number
  /** sends requests; default: the global one */
  fetch?: typeof fetch
  /** waits so many milliseconds; default: a timer */
  wait?: (milliseconds: number) => Promise<void>
}

export interface CallOptions {
  /** ends the call, also while it waits to be sent again */
  signal?: AbortSignal
}

export interface PostOptions extends CallOptions {
  /** names the call: sent again within 24 hours, it is not carried out again */
  idempotencyKey?: string
}

export interface Page<Item> {
  data: Item[]
  /** where the next page begins; null: this is the last one */
  next_cursor: string | null
}

/** Thrown when the server refuses a call, or its answer can't be read. */
export class ParleyProblem<Code extends string = string> extends Error {
  override readonly name = 'ParleyProblem'
  constructor(
    readonly status: number,
    /** stable, for programs; null: the answer was not Parley's, as of a proxy in between */
    readonly code: Code | null,
    /** what is wrong, and what to do */
    readonly detail: string,
    /** by field of the body, what is wrong with it */
    readonly errors: Readonly<Record<string, string>> = {},
    /** in how many seconds to come back, if the server said so */
    readonly retryAfter: number | null = null,
  ) {
    super(`${status}${code ? ` ${code}` : ''}: ${detail}`)
  }
}

/** What is listed: by `for await`, which reads page after page, or a page at a time. */
export class Listed<Item> implements AsyncIterable<Item> {
  readonly #read: (cursor: string | undefined) => Promise<Page<Item>>

  constructor(read: (cursor: string | undefined) => Promise<Page<Item>>) {
    this.#read = read
  }

  /**
   * @param cursor `next_cursor` of the page before; left out: the first
   * @throws ParleyProblem
   */
  page(cursor?: string): Promise<Page<Item>> {
    return this.#read(cursor)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let cursor: string | undefined
    for (;;) {
      const { data, next_cursor } = await this.#read(cursor)
      yield* data
      if (next_cursor === null) return
      cursor = next_cursor
    }
  }
}

/** An operation's call, as the generated client makes it. */
export interface Call {
  method: string
  /** with parameters as `{name}` */
  path: string
  /** the parameters that go into the query; those of the path are named there */
  query?: readonly string[]
  input?: object
  options?: PostOptions
}

/** Sends calls: for the generated client alone. */
export class Transport {
  readonly #options: Required<ClientOptions>

  constructor({ url, key, ...rest }: ClientOptions) {
    const base = new URL(url)
    if (!/^https?:$/.test(base.protocol)) throw new TypeError(`${url} is no http(s) address`)
    if (!key) throw new TypeError('an API key is needed')
    this.#options = {
      url: `${base.origin}${base.pathname.replace(/\/+$/, '')}/api/v1`,
      key,
      retries: rest.retries ?? 2,
      longestWait: rest.longestWait ?? 60,
      // called as a function of its own: browsers refuse it as a method
      fetch: rest.fetch ?? ((...sent) => fetch(...sent)),
      wait: rest.wait ?? ((milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))),
    }
  }

  /** @returns what the operation answers, undefined where it answers nothing. @throws ParleyProblem */
  async json<Answer>(call: Call): Promise<Answer> {
    const response = await this.response(call)
    if (response.status === 204) return undefined as Answer
    const text = await response.text()
    try {
      return JSON.parse(text) as Answer
    } catch {
      throw new ParleyProblem(response.status, null, 'The answer is no JSON')
    }
  }

  list<Item>(call: Call): Listed<Item> {
    return new Listed((cursor) =>
      this.json({ ...call, query: [...(call.query ?? []), 'cursor'], input: { ...call.input, cursor } }),
    )
  }

  /** @returns the answer itself, its body unread: for files. @throws ParleyProblem */
  async response({ method, path, query = [], input = {}, options = {} }: Call): Promise<Response> {
    const { url, key, retries, longestWait, fetch } = this.#options
    const { body, ...parameters } = input as Record<string, unknown>
    const address = url + fillPath(path, parameters) + queryOf(query, parameters)
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(options.idempotencyKey !== undefined && { 'idempotency-key': options.idempotencyKey }),
    }
    const signal = options.signal ?? null
    // a redirect makes a GET of any other call
    const redirect = method === 'GET' ? 'follow' : 'error'
    for (let left = retries; ; left--) {
      const sent = body === undefined ? null : JSON.stringify(body)
      const response = await fetch(address, { method, headers, body: sent, signal, redirect })
      if (response.ok) return response
      const problem = await problemOf(response)
      const { status, retryAfter } = problem
      // all others may have been carried out
      if (status !== 429 || retryAfter === null || retryAfter > longestWait || left <= 0) throw problem
      await this.#wait(retryAfter * 1_000, signal)
    }
  }

  async #wait(milliseconds: number, signal: AbortSignal | null): Promise<void> {
    signal?.throwIfAborted()
    let stop: (() => void) | undefined
    const aborted = new Promise<never>((_, reject) => {
      stop = () => reject(signal?.reason)
      signal?.addEventListener('abort', stop, { once: true })
    })
    try {
      await Promise.race([this.#options.wait(milliseconds), aborted])
    } finally {
      if (stop) signal?.removeEventListener('abort', stop)
    }
  }
}

/** @throws TypeError for a parameter that is missing, or would lead to another path */
function fillPath(path: string, parameters: Readonly<Record<string, unknown>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name]
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} has to be an id`)
    return encodeURIComponent(value)
  })
}

function queryOf(names: readonly string[], parameters: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const name of names) {
    const value = parameters[name]
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  return query.size === 0 ? '' : `?${query}`
}

async function problemOf(response: Response): Promise<ParleyProblem> {
  const said = response.headers.get('retry-after')
  const retryAfter = said !== null && /^\d{1,9}$/.test(said) ? Number(said) : null
  const text = await response.text()
  try {
    const { code, detail, errors } = JSON.parse(text)
    if (typeof code === 'string' && typeof detail === 'string')
      return new ParleyProblem(response.status, code, detail, errors, retryAfter)
  } catch {
    // an answer of something in between
  }
  return new ParleyProblem(response.status, null, response.statusText || 'The call failed', {}, retryAfter)
}
