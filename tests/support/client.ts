import type { Route } from '../../server/contracts/route'

export interface Answer {
  status: number
  headers: Headers
  /** the envelope; empty if the response isn't JSON */
  body: { success?: boolean; data?: unknown; code?: string }
  text: string
}

interface Input<Params, Query, Body> {
  params?: Params
  query?: Query
  body?: Body
}

/** A browser without a window: keeps cookies, sends the XSRF token with writing requests. */
export interface TestClient {
  readonly cookies: Map<string, string>
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Calls a route of a contract and returns `data`. Throws with the response's text if the call fails. */
  call<Params, Query, Body, Data>(
    route: Route<Params, Query, Body, Data>,
    input?: Input<Params, Query, Body>,
  ): Promise<Data>
}

export async function createClient(url: string): Promise<TestClient> {
  const cookies = new Map<string, string>()

  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-xsrf-token': cookies.get('XSRF-TOKEN') ?? '',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: bodyOf(body) }),
    })
    for (const cookie of response.headers.getSetCookie()) keep(cookie)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} }
  }

  function keep(cookie: string) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (value === '' || /max-age=0/i.test(cookie)) cookies.delete(name)
    else cookies.set(name, value)
  }

  await send('GET', '/api/csrf-cookie')
  return {
    cookies,
    send,
    async call(route, { params, query, body } = {}) {
      const path = pathOf(route.path, { ...params })
      const search = new URLSearchParams(
        Object.entries({ ...query }).map(([key, value]) => [key, String(value)]),
      ).toString()
      const answer = await send(
        route.method,
        search ? `${path}?${search}` : path,
        route.method === 'GET' ? undefined : (body ?? {}),
      )
      if (!answer.body.success) throw new Error(`${route.method} ${path}: ${answer.status} ${answer.text}`)
      return route.answer.parse(answer.body.data)
    },
  }
}

export function pathOf(path: string, params: Record<string, unknown>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
}

/** Texts and bytes are sent as they are. */
const bodyOf = (body: unknown) =>
  typeof body === 'string' ? body : body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)
