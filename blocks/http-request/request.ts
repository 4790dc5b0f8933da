import type { HttpAnswer, HttpCall } from '../../engine/flow/httpCall'
import { type DynamicValue, dynamicValueVariables } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { readJsonPath } from '../../engine/values/jsonPath'
import { jsonProblem } from '../../engine/values/jsonProblem'
import { renderHeader, renderJson, renderUrl } from '../../engine/values/places'
import { renderText, type Variables } from '../../engine/values/render'
import { type HttpMapping, type HttpPair, type HttpRequestData, isEmpty } from './schema'

/** The call that the block makes with these variables, or why it can make none. */
export function buildCall(data: HttpRequestData, variables: Variables): HttpCall | { problem: string } {
  const url = renderUrl(data.url, variables)
  if (url === '') return { problem: 'The request has no URL.' }
  if (url === null) return { problem: 'A variable in the URL is “..”, which would lead to another place.' }
  const body = buildBody(data, variables)
  if (body && 'problem' in body) return body
  return {
    method: data.method,
    url,
    query: pairsOf(data.query, (value) => renderText(value, variables)),
    headers: pairsOf(data.headers, (value) => renderHeader(value, variables)),
    auth: buildAuth(data.auth, variables),
    body,
    timeoutMs: data.timeout * 1000,
    followRedirects: data.followRedirects,
    ...(data.sample && { sample: data.sample }),
  }
}

/** Rows without a name are not finished, and not sent. */
const pairsOf = (rows: readonly HttpPair[], render: (value: DynamicValue) => string): [string, string][] =>
  rows
    .map(({ name, value }): [string, string] => [render(name).trim(), render(value)])
    .filter(([name]) => name !== '')
    .map(([name, value]) => [name.slice(0, 1_000), value])

function buildAuth(auth: HttpRequestData['auth'], variables: Variables): HttpCall['auth'] {
  const line = (value: DynamicValue) => renderHeader(value, variables)
  switch (auth.type) {
    case 'basic':
      return { type: 'basic', username: line(auth.username), password: line(auth.password) }
    case 'bearer':
      return { type: 'bearer', token: line(auth.token) }
    case 'header':
      return isEmpty(auth.name) ? null : { type: 'header', name: line(auth.name), value: line(auth.value) }
    default:
      return null
  }
}

function buildBody(data: HttpRequestData, variables: Variables): HttpCall['body'] | { problem: string } {
  const text = (value: DynamicValue) => renderText(value, variables)
  switch (data.bodyType) {
    case 'json': {
      if (isEmpty(data.body)) return null
      const json = renderJson(data.body, variables)
      if (json === null) return { problem: 'The variables in the body are too large.' }
      const problem = jsonProblem(json)
      return problem ? { problem: `The body can't be sent. ${problem}` } : { type: 'json', text: json }
    }
    case 'raw':
      return isEmpty(data.body) ? null : { type: 'raw', text: text(data.body) }
    case 'form':
    case 'urlencoded':
      return { type: data.bodyType, fields: pairsOf(data.fields, text) }
    default:
      return null
  }
}

/** What a row of the mapping takes from an answer; null for what is not there. */
export function mappedValue({ from, path }: Pick<HttpMapping, 'from' | 'path'>, answer: HttpAnswer): Json {
  switch (from) {
    case 'status':
      return answer.status
    case 'error':
      return answer.error ?? null
    case 'header':
      return Object.hasOwn(answer.headers, path.trim().toLowerCase())
        ? (answer.headers[path.trim().toLowerCase()] ?? null)
        : null
    case 'body':
      return readJsonPath(path, answer.body)
  }
}

/** A row saves something once it has a variable, and a path where it needs one. */
export const isFinished = ({ from, path, variableId }: HttpMapping): boolean =>
  variableId !== null && (path.trim() !== '' || from === 'status' || from === 'error')

/** The variables that the call is made of. */
export function variablesOf(data: HttpRequestData): string[] {
  const { auth } = data
  const ofAuth = {
    none: [],
    basic: [auth.username, auth.password],
    bearer: [auth.token],
    header: [auth.name, auth.value],
  }[auth.type]
  const fields = data.bodyType === 'form' || data.bodyType === 'urlencoded' ? data.fields : []
  const rows = [...data.query, ...data.headers, ...fields].flatMap(({ name, value }) => [name, value])
  const body = data.bodyType === 'json' || data.bodyType === 'raw' ? [data.body] : []
  return [...new Set([data.url, ...ofAuth, ...rows, ...body].flatMap(dynamicValueVariables))]
}
