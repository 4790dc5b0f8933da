import { csrfCookie } from '../../server/contracts/auth'
import type { Route } from '../../server/contracts/route'
import { checkResponse, noResponse } from './check'
import { ApiFailure } from './failure'
import { sendWithProgress } from './sendWithProgress'
import { readEvents, type ServerEvent } from './serverEvents'
import { isNoAnswer } from './serverWatch'

/** The parts of a call that its route declares, with their types. */
export interface Call<Params, Query, Body> {
  params?: Params
  query?: Query
  body?: Body
  /** sent as the raw body; `onProgress` gets the progress from 0 to 1 */
  file?: { content: Blob; onProgress: (part: number) => void }
  signal?: AbortSignal
  /** false leaves an expired login to the caller */
  handleUnauthenticated?: boolean
}

const XSRF_EXPIRED = 419
let onUnauthenticated: () => void = () => undefined
let onNoAnswer: () => void = () => undefined

/** Sets the handler for 401 responses. */
export function handleUnauthenticated(handler: () => void) {
  onUnauthenticated = handler
}

/** Sets the handler for calls without a response: the server may be unavailable. */
export function handleNoAnswer(handler: () => void) {
  onNoAnswer = handler
}

/**
 * Calls a route of server/contracts and returns `data`. Sends credentials and the XSRF token (fetched first if missing,
 * and once again after a 419). Throws ApiFailure (SPEC.md 7 and 8), and the signal's reason.
 */
export async function callRoute<Params, Query, Body, Answer>(
  route: Route<Params, Query, Body, Answer>,
  call: Call<Params, Query, Body> = {},
): Promise<Answer> {
  try {
    let response = await send(route, call)
    if (response.status === XSRF_EXPIRED) {
      await fetchXsrfCookie()
      response = await send(route, call)
    }
    return checkResponse(response.status, await bodyOf(response, call.signal)) as Answer
  } catch (error) {
    if (isNoAnswer(error)) onNoAnswer()
    const needsLogin = route.access === 'user' || (typeof route.access === 'object' && 'feature' in route.access)
    if (error instanceof ApiFailure && error.status === 401 && needsLogin && call.handleUnauthenticated !== false)
      onUnauthenticated()
    throw error
  }
}

/**
 * Calls a route that answers with server-sent events, and passes each on; resolves when the stream ends. Throws like
 * `callRoute`, and when the connection breaks.
 */
export async function streamRoute<Params, Query, Body, Answer>(
  route: Route<Params, Query, Body, Answer>,
  call: Call<Params, Query, Body>,
  onEvent: (event: ServerEvent) => void,
): Promise<void> {
  try {
    let response = await send(route, call)
    if (response.status === XSRF_EXPIRED) {
      await fetchXsrfCookie()
      response = await send(route, call)
    }
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    if (!isStream || !response.body) checkResponse(response.status, await bodyOf(response, call.signal))
    else await readEvents(response.body, onEvent).catch(brokenUnlessAborted(call.signal))
  } catch (error) {
    if (isNoAnswer(error)) onNoAnswer()
    if (error instanceof ApiFailure && error.status === 401) onUnauthenticated()
    throw error
  }
}

const brokenUnlessAborted = (signal: AbortSignal | undefined) => (error: unknown) => {
  throw signal?.aborted ? error : noResponse(error)
}

async function send<Params, Query, Body, Answer>(
  route: Route<Params, Query, Body, Answer>,
  { params, query, body, file, signal }: Call<Params, Query, Body>,
): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (route.method !== 'GET') {
    if (!xsrfToken()) await fetchXsrfCookie()
    headers['x-xsrf-token'] = xsrfToken() ?? ''
    headers['content-type'] = file ? 'application/octet-stream' : 'application/json'
  }
  const url = pathOf(route.path, params) + searchOf(query)
  if (file) return request(url, { method: route.method, headers, body: file.content, signal }, file.onProgress)
  const sent = route.method === 'GET' ? undefined : JSON.stringify(body ?? {})
  return request(url, { method: route.method, headers, body: sent, signal })
}

async function request(url: string, init: RequestInit, onProgress?: (part: number) => void): Promise<Response> {
  try {
    if (onProgress) return await sendWithProgress(url, init, onProgress)
    return await fetch(url, { ...init, credentials: 'include' })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw noResponse(error)
  }
}

async function bodyOf(response: Response, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    if (signal?.aborted) throw error
    throw noResponse(error)
  }
}

const fetchXsrfCookie = () => request(csrfCookie.path, { method: 'GET' })

function xsrfToken(): string | undefined {
  const pair = document.cookie.split('; ').find((cookie) => cookie.startsWith('XSRF-TOKEN='))
  return pair && decodeURIComponent(pair.slice('XSRF-TOKEN='.length))
}

/** A route's path with its params inserted. */
export function pathOf(path: string, params: unknown): string {
  const values = (params ?? {}) as Record<string, string>
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

function searchOf(query: unknown): string {
  const entries = Object.entries((query ?? {}) as Record<string, unknown>).filter(([, value]) => value !== undefined)
  return entries.length ? `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}` : ''
}
