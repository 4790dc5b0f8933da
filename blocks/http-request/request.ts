import { type HttpAnswer, type HttpCall, MOST_SECRETS } from '../../engine/effects/http'
import { fillJson, secretMark, withReferences } from '../../engine/flow/httpSecrets'
import { type DynamicValue, dynamicValueVariables } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { readJsonPath } from '../../engine/values/jsonPath'
import { jsonProblem } from '../../engine/values/jsonProblem'
import { renderHeader, renderJson, renderUrl } from '../../engine/values/places'
import { renderText, type Variables } from '../../engine/values/render'
import { secretIdOf, secretNameOf } from '../../engine/values/secrets'
import { type HttpMapping, type HttpPair, type HttpRequestData, isEmpty } from './schema'

/** Builds the request with these variables, or says why that is impossible. Secrets are only named in it. */
export function buildCall(data: HttpRequestData, variables: Variables): HttpCall | { problem: string } {
  const secrets = secretsOf(data)
  if (secrets.length > MOST_SECRETS) return { problem: `A request has at most ${MOST_SECRETS} secrets.` }
  const place = placing(variables, secrets.length > 0)
  try {
    const url = place(data.url, renderUrl)
    if (url === '') return { problem: 'The request has no URL.' }
    return {
      method: data.method,
      url,
      query: pairsOf(data.query, place, renderText),
      headers: pairsOf(data.headers, place, renderHeader),
      auth: buildAuth(data.auth, place),
      body: buildBody(data, place),
      timeoutMs: data.timeout * 1000,
      followRedirects: data.followRedirects,
      ...(data.sample && { sample: data.sample }),
      ...(secrets.length > 0 && { secrets }),
    }
  } catch (error) {
    if (error instanceof Unsendable) return { problem: error.message }
    throw error
  }
}

/** Thrown if variables result in a text that can't be sent. */
class Unsendable extends Error {}

type Render = (value: DynamicValue, variables: Variables) => string | null
type Place = (value: DynamicValue, render: Render) => string

/** Renders values, with references for secrets. If there are any, similar text elsewhere is escaped. */
const placing =
  (variables: Variables, refers: boolean): Place =>
  (value, render) => {
    const { marked, marks } = markSecrets(value)
    const text = render(marked, variables)
    if (text === null)
      throw new Unsendable(
        render === renderUrl
          ? 'A variable in the URL is “..”, which would lead to another place.'
          : 'The variables in the body are too large.',
      )
    const referring = refers ? withReferences(text, marks) : text
    if (referring === null) throw new Unsendable('A variable holds a character that can’t be sent.')
    return referring
  }

/** Delimited secrets that no renderer escapes: their values are escaped when they are inserted. */
function markSecrets(value: DynamicValue): { marked: DynamicValue; marks: number } {
  if (value.type === 'static') return { marked: value, marks: 0 }
  let marks = 0
  const parts = value.parts.map((part): typeof part => {
    const name = part.type === 'variable' ? secretNameOf(part.variable_id) : null
    if (name === null) return part
    marks++
    return { type: 'text', text: secretMark(name) }
  })
  return { marked: { type: 'dynamic', parts }, marks }
}

/** Rows without a name are incomplete, and not sent. */
const pairsOf = (rows: readonly HttpPair[], place: Place, render: Render): [string, string][] =>
  rows
    .map(({ name, value }): [string, string] => [place(withoutSecrets(name), render).trim(), place(value, render)])
    .filter(([name]) => name !== '')
    .map(([name, value]) => [name.slice(0, 1_000), value])

/** Names can't contain secrets. */
const withoutSecrets = (value: DynamicValue): DynamicValue =>
  value.type === 'static'
    ? value
    : { ...value, parts: value.parts.filter((part) => part.type === 'text' || !isSecret(part.variable_id)) }

function buildAuth(auth: HttpRequestData['auth'], place: Place): HttpCall['auth'] {
  const line = (value: DynamicValue) => place(value, renderHeader)
  switch (auth.type) {
    case 'basic':
      return { type: 'basic', username: line(auth.username), password: line(auth.password) }
    case 'bearer':
      return { type: 'bearer', token: line(auth.token) }
    case 'header':
      return isEmpty(auth.name)
        ? null
        : { type: 'header', name: line(withoutSecrets(auth.name)), value: line(auth.value) }
    default:
      return null
  }
}

function buildBody(data: HttpRequestData, place: Place): HttpCall['body'] {
  switch (data.bodyType) {
    case 'json': {
      if (isEmpty(data.body)) return null
      const json = place(data.body, renderJson)
      const problem = jsonProblem(fillJson(json, () => ''))
      if (problem) throw new Unsendable(`The body can't be sent. ${problem}`)
      return { type: 'json', text: json }
    }
    case 'raw':
      return isEmpty(data.body) ? null : { type: 'raw', text: place(data.body, renderText) }
    case 'form':
    case 'urlencoded':
      return { type: data.bodyType, fields: pairsOf(data.fields, place, renderText) }
    default:
      return null
  }
}

/** The value that a mapping row takes from a response; null if missing. */
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

/** A row is complete with a variable, and a path if it needs one. */
export const isFinished = ({ from, path, variableId }: HttpMapping): boolean =>
  variableId !== null && (path.trim() !== '' || from === 'status' || from === 'error')

/** The variables used by the request, including secrets where none are allowed. */
export function variablesOf(data: HttpRequestData): string[] {
  const allowed = new Set(secretsOf(data).map(secretIdOf))
  const { values, names } = valuesOf(data)
  const ids = [...values, ...names].flatMap(dynamicValueVariables)
  const inNames = new Set(names.flatMap(dynamicValueVariables))
  return [...new Set(ids)].filter((id) => !allowed.has(id) || inNames.has(id))
}

/** The names of the secrets that the request refers to. */
export const secretsOf = (data: HttpRequestData): string[] => [
  ...new Set(
    valuesOf(data)
      .values.flatMap(dynamicValueVariables)
      .flatMap((id) => secretNameOf(id) ?? []),
  ),
]

/** The parts of the request: values, which may contain secrets, and names, which may not. */
function valuesOf(data: HttpRequestData): { values: DynamicValue[]; names: DynamicValue[] } {
  const { auth } = data
  const ofAuth = {
    none: [],
    basic: [auth.username, auth.password],
    bearer: [auth.token],
    header: [auth.value],
  }[auth.type]
  const fields = data.bodyType === 'form' || data.bodyType === 'urlencoded' ? data.fields : []
  const rows = [...data.query, ...data.headers, ...fields]
  const body = data.bodyType === 'json' || data.bodyType === 'raw' ? [data.body] : []
  return {
    values: [data.url, ...ofAuth, ...rows.map(({ value }) => value), ...body],
    names: [...rows.map(({ name }) => name), ...(auth.type === 'header' ? [auth.name] : [])],
  }
}

const isSecret = (variableId: string): boolean => secretNameOf(variableId) !== null
