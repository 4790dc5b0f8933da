import type { StandIn } from '../../../server/sandbox/standIn'

export interface Sent {
  query?: Record<string, string | string[]>
  /** sent as JSON */
  body?: unknown
  /** null: without an Authorization header */
  token?: string | null
  headers?: Record<string, string>
}

/** @returns a caller of a stand-in's API, as a client of the vendor sends requests; `token` is read for each call */
export function createVendorCaller(standIn: () => StandIn, token: () => string) {
  return async (method: string, path: string, { query = {}, body, token: bearer = token(), headers }: Sent = {}) => {
    const url = new URL(path, standIn().origin)
    for (const [name, values] of Object.entries(query))
      for (const value of [values].flat()) url.searchParams.append(name, value)
    const answer = await fetch(url, {
      method,
      headers: {
        ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
  }
}

/** Sends a form, as token endpoints take it. @returns the status and the parsed answer */
export async function sendForm(url: string | URL, form: Record<string, string>, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form), headers })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}
