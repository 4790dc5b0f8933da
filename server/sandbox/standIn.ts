import type { AddressInfo } from 'node:net'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { type Answer, type Call, fieldsOf, type RecordedCall, Refusal } from './call'
import { type Fault, type FaultKind, FaultScript } from './faults'
import { compileGlob } from './glob'
import type { Grants } from './oauth/grants'
import { recordPages } from './pages/recordPages'
import type { RecordKind } from './pages/records'
import { readBody } from './readBody'
import { compileRoutes, type Route } from './routes'
import type { WebhookSender } from './webhooks'

/** Refusals that every vendor has, each in its own words. */
export type RefusalKind = 'unauthorized' | 'forbidden' | 'conflict' | 'tooMany' | 'serverError' | 'notFound' | 'badBody'

/** What distinguishes a vendor from another. */
export interface Vendor {
  /** `Google` */
  name: string
  routes: readonly Route[]
  refuse: (kind: RefusalKind, detail?: { retryAfter?: number; message?: string }) => Answer
  /** finds the caller (`call.grant`), and throws a Refusal for a token, a scope or a limit */
  admit?: (call: Call, route: Route) => void
  /** withdraws the consent whose token this call bears */
  revoke?: (call: Call) => void
  /** an ending of paths that changes nothing, such as `.json` */
  ending?: string
  /** headers that every answer carries */
  headers?: (call: Call) => Record<string, string>
  webhooks?: WebhookSender
  /** what a person sees and edits on the stand-in's pages; absent: there are none */
  kinds?: () => RecordKind[]
  /** whose consents a person may withdraw there */
  grants?: Grants
}

/** Compares with a vendor's contract. Each returns problems as sentences; none if it is kept. */
export interface ContractWatch {
  request(call: Call): string[]
  answer(call: Call, answer: Answer): string[]
  /** a value against a schema that has a name: for webhooks */
  value(schema: string, value: unknown): string[]
}

export interface StandInOptions {
  clock: () => Date
  /** default 1: the same ids in each run */
  seed?: number
  /** default: any that is free */
  port?: number
  /** default: nothing is compared */
  contract?: ContractWatch
  /** whether calls are limited as the vendor limits them; default: not */
  limited?: boolean
  /** where the page of all vendors is; default: there is none */
  home?: string
  /** of the people's email addresses; default: `example.com` */
  domain?: string
}

export interface StandIn {
  /** `http://127.0.0.1:4711` */
  origin: string
  /** the vendor's calls that it answers, as `POST /path/{name}` */
  endpoints: string[]
  calls: RecordedCall[]
  /** @param on as in `Fault.on` */
  callsOf(on: string): RecordedCall[]
  /** sentences about requests and answers that broke the contract; a test expects none */
  broken: string[]
  fail(fault: Fault): void
  faults: FaultScript
  close(): Promise<void>
}

/** The most that a request to a stand-in may weigh. */
const BODY_LIMIT = 30 * 1024 * 1024
/** How often a call that waits for the clock looks at it. */
const LOOK = 10

/** Starts a vendor's stand-in on loopback. What it knows is kept in memory, and gone when it is closed. */
export async function startStandIn(
  vendor: Vendor,
  options: StandInOptions,
  faults = new FaultScript(),
): Promise<StandIn> {
  const { clock, contract } = options
  const calls: RecordedCall[] = []
  const endpoints = vendor.routes.filter(({ ours }) => !ours).map(({ method, path }) => `${method} ${path}`)
  const { name, kinds, grants } = vendor
  const { home } = options
  const pages = kinds ? recordPages({ vendor: name, kinds, grants, faults, calls, endpoints, home }) : []
  const find = compileRoutes([...vendor.routes, ...pages])
  const broken = vendor.webhooks?.broken ?? []
  const app = fastify({ bodyLimit: BODY_LIMIT, forceCloseConnections: true, routerOptions: { maxParamLength: 10_000 } })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addContentTypeParser(/^.*$/, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  const until = async (seconds: number) => {
    const due = clock().getTime() + seconds * 1_000
    while (clock().getTime() < due) await new Promise((resolve) => setTimeout(resolve, LOOK).unref())
  }

  /** Runs a call, whatever happens to it on the way. @returns null: cut the connection */
  async function run(call: Call, route: Route | undefined, fault: Fault | null): Promise<Answer | null> {
    if (!route) return vendor.refuse('notFound', { message: `${call.method} ${call.path}` })
    if (fault?.with === 'slow') await until(fault.seconds ?? 30)
    if (fault?.with === 'tokenRevoked') vendor.revoke?.(call)
    const early = fault && answerEarly(vendor, fault)
    if (early !== null) return early === 'cut' ? null : early
    vendor.admit?.(call, route)
    const answer = await route.handle(call)
    if (fault?.with === 'cutAfterWrite') return null
    if (fault?.with === 'serverErrorAfterWrite') return vendor.refuse('serverError')
    return fault?.with === 'halfJson' ? halve(answer) : answer
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const url = new URL(request.url, 'http://stand-in')
    const { ending = '' } = vendor
    const hasEnding = ending !== '' && url.pathname.endsWith(ending)
    const found = find(request.method, hasEnding ? url.pathname.slice(0, -ending.length) : url.pathname)
    const call: Call = {
      method: request.method,
      path: url.pathname,
      params: found?.params ?? {},
      query: queryOf(url),
      headers: request.headers,
      body: undefined,
      at: clock(),
    }
    const isOurs = found?.route.ours === true
    const fault = isOurs ? null : faults.take(`${call.method} ${call.path}`)
    if (fault?.with === 'refreshTwice') call.answeredTwice = true
    const record: RecordedCall = Object.assign(call, { status: null })
    if (!isOurs) calls.push(record)
    let answered: Answer | null
    try {
      call.body = readBody(request.headers['content-type'], request.body as Buffer | undefined)
      const wrong = isOurs ? [] : (contract?.request(call) ?? [])
      if (wrong.length > 0) throw breach('request', call, wrong)
      answered = await run(call, found?.route, fault)
    } catch (error) {
      if (error instanceof SyntaxError) answered = vendor.refuse('badBody', { message: error.message })
      else if (error instanceof Refusal) answered = error.answer
      else throw error
    }
    if (answered === null) {
      request.raw.socket.destroy()
      return reply.hijack()
    }
    const isVendors = !isOurs && !isBreach(answered) && (fault === null || !BEYOND_CONTRACT.has(fault.with))
    const wrong = isVendors ? (contract?.answer(call, withHeaders(call, answered)) ?? []) : []
    if (wrong.length > 0) answered = breach('answer', call, wrong).answer
    record.status = answered.status
    return send(reply, withHeaders(call, answered))
  }

  const withHeaders = (call: Call, answered: Answer): Answer => ({
    ...answered,
    headers: { ...vendor.headers?.(call), ...answered.headers },
  })

  /** Whoever calls gets a 500 that says so: what is only logged stays wrong. */
  function breach(side: 'request' | 'answer', { method, path }: Call, problems: string[]): Refusal {
    const sentence = `contract broken by the ${side} of ${method} ${path}: ${problems.join('; ')}`
    broken.push(sentence)
    return new Refusal({ status: 500, body: { contractBroken: sentence } })
  }

  app.addHook('onRequest', async (request, reply) => {
    // a page elsewhere, or a name that leads to this machine, must not reach what is on loopback
    if (!isLoopbackHost(request.headers.host)) await reply.code(403).send('This address is not served here.')
    else if (!isOwnOrigin(request)) await reply.code(403).send('Forms are taken from pages of this server alone.')
  })
  app.all('/*', answer)
  await app.listen({ host: '127.0.0.1', port: options.port ?? 0 })
  const { port } = app.server.address() as AddressInfo

  return {
    origin: `http://127.0.0.1:${port}`,
    endpoints,
    calls,
    callsOf(on) {
      const matches = compileGlob(on)
      return calls.filter(({ method, path }) => matches(`${method} ${path}`))
    },
    broken,
    fail: (fault) => faults.add(fault),
    faults,
    async close() {
      vendor.webhooks?.close()
      await app.close()
    },
  }
}

const isBreach = ({ body }: Answer) => Object.hasOwn(fieldsOf(body), 'contractBroken')

/** These answers are no vendor's, so that no contract describes them. */
const BEYOND_CONTRACT: ReadonlySet<FaultKind> = new Set(['html', 'halfJson'])

/** @returns what is answered before anything is written; null: the call runs */
function answerEarly(vendor: Vendor, fault: Fault): Answer | 'cut' | null {
  switch (fault.with) {
    case 'unauthorized':
    case 'forbidden':
    case 'conflict':
    case 'serverError':
      return vendor.refuse(fault.with)
    case 'tooMany':
      return vendor.refuse('tooMany', fault.retryAfter === undefined ? {} : { retryAfter: fault.retryAfter })
    case 'cutBeforeWrite':
      return 'cut'
    case 'html':
      return { status: 200, body: '<!doctype html><title>Proxy</title><h1>The service is being maintained</h1>' }
    default:
      return null
  }
}

/** @returns the answer with the first half of its JSON */
function halve(answer: Answer): Answer {
  const text = JSON.stringify(answer.body ?? {})
  const headers = { ...answer.headers, 'content-type': 'application/json' }
  return { status: answer.status, headers, body: Buffer.from(text.slice(0, Math.ceil(text.length / 2))) }
}

function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  reply.code(status).headers({ 'cache-control': 'no-store', ...headers })
  if (body === undefined) return reply.send()
  if (Buffer.isBuffer(body)) return reply.send(body)
  if (typeof body === 'string') return reply.type('text/html; charset=utf-8').send(body)
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
}

function queryOf(url: URL): Call['query'] {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of url.searchParams) {
    const before = query[name]
    query[name] = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value]
  }
  return query
}

const isLoopbackHost = (host: string | undefined) => /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host ?? '')

/** Browsers say where a form was sent from; programs say nothing. */
function isOwnOrigin({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' || headers.origin === undefined) return true
  return headers.origin === `http://${headers.host}`
}
