import type { HttpCall } from '../effects/http'
import { endsQuoted, oneLine, placeInUrl } from '../values/places'

/**
 * How a call refers to secrets: its texts contain `{{secret.NAME}}` in the value's place, in the block, effects,
 * records and previews; only the sender inserts the value. The syntax counts only in a call that lists `secrets`. The
 * same characters typed by a visitor or an editor are escaped by a second full stop.
 */
const OPEN = '{{secret.'
const REFERENCE = /\{\{secret\.(?:(\.)|([A-Za-z0-9_]{1,50})\}\})/g

/** The reference as written in a call and shown everywhere. */
export const secretReference = (name: string): string => `${OPEN}${name}}}`

/** An address with readable references, where URL encoding has changed them. */
export const showReferences = ({ secrets = [] }: Pick<HttpCall, 'secrets'>, url: string): string =>
  secrets.reduce(
    (shown, name) => shown.replaceAll(encodeURIComponent(secretReference(name)), secretReference(name)),
    url,
  )

/** Delimiters around a secret's name during rendering: Unicode noncharacters, which no text contains. */
const BEGIN = '\ufdd0'
const END = '\ufdd1'
const MARKED = new RegExp(`${BEGIN}([A-Za-z0-9_]{1,50})${END}`)

export const secretMark = (name: string): string => `${BEGIN}${name}${END}`

/**
 * Replaces the delimiters in a rendered text by references.
 * @param marks how many were inserted; returns null if there are others, since a variable must not create one
 */
export function withReferences(text: string, marks: number): string | null {
  const pieces = text.split(MARKED)
  if (pieces.length !== 2 * marks + 1 || pieces.some((piece) => piece.includes(BEGIN) || piece.includes(END)))
    return null
  return pieces.map((piece, at) => (at % 2 ? secretReference(piece) : piece.replaceAll(OPEN, `${OPEN}.`))).join('')
}

export interface FilledCall {
  call: HttpCall
  /** names of the headers that hold a secret: they are not sent to another server */
  secretHeaders: string[]
  /** the body holds a secret: it is not sent to another server */
  secretBody: boolean
}

/**
 * Inserts the secrets' values in place of the references, each escaped for its place.
 * @param secretOf undefined for a missing secret
 * @returns `missing`: names of missing secrets, and of those whose value is not allowed in the address
 */
export function fillSecrets(
  { secrets, ...call }: HttpCall,
  secretOf: (name: string) => string | undefined,
): FilledCall | { missing: string } | { problem: string } {
  if (!secrets) return { call, secretHeaders: [], secretBody: false }
  const named = new Set(secrets)
  const missing = secrets.find((name) => secretOf(name) === undefined)
  if (missing !== undefined) return { missing }
  // only names listed by the call are references
  const value = (name: string) => (named.has(name) ? secretOf(name) : undefined) ?? ''
  const plain = (text: string) => fill(text, value)
  const header = (text: string) => fill(text, (name) => oneLine(value(name)))
  const pairs = (rows: HttpCall['headers'], text: (value: string) => string) =>
    rows.map(([name, content]): [string, string] => [plain(name), text(content)])
  const { auth, body } = call
  let climbs = false
  const url = fill(call.url, (name, before) => {
    const placed = placeInUrl(value(name), before)
    climbs ||= placed === null
    return placed ?? ''
  })
  if (climbs) return { problem: 'A secret in the URL is “..”, which would lead to another place.' }
  return {
    call: {
      ...call,
      url,
      query: pairs(call.query, plain),
      headers: pairs(call.headers, header),
      auth: auth && fillAuth(auth, header),
      body: body && fillBody(body, plain, value),
    },
    secretHeaders: call.headers.filter(([, content]) => refers(content)).map(([name]) => plain(name)),
    secretBody:
      body !== null && ('text' in body ? refers(body.text) : body.fields.some(([, content]) => refers(content))),
  }
}

const refers = (text: string): boolean => Array.from(text.matchAll(REFERENCE)).some(([, dot]) => dot === undefined)

function fillAuth(auth: NonNullable<HttpCall['auth']>, text: (value: string) => string): HttpCall['auth'] {
  switch (auth.type) {
    case 'basic':
      return { ...auth, username: text(auth.username), password: text(auth.password) }
    case 'bearer':
      return { ...auth, token: text(auth.token) }
    case 'header':
      return { ...auth, name: text(auth.name), value: text(auth.value) }
  }
}

function fillBody(
  body: NonNullable<HttpCall['body']>,
  plain: (text: string) => string,
  value: (name: string) => string,
): HttpCall['body'] {
  switch (body.type) {
    case 'json':
      return { ...body, text: fillJson(body.text, value) }
    case 'raw':
      return { ...body, text: plain(body.text) }
    case 'form':
    case 'urlencoded':
      return { ...body, fields: body.fields.map(([name, content]) => [plain(name), plain(content)]) }
  }
}

/** JSON with the values inserted: within quotes as text, standing alone as a string. */
export function fillJson(text: string, value: (name: string) => string): string {
  let quoted = false
  return fill(
    text,
    (name) => (quoted ? JSON.stringify(value(name)).slice(1, -1) : JSON.stringify(value(name))),
    (piece) => {
      quoted = endsQuoted(piece, quoted)
    },
  )
}

/**
 * @param put returns the replacement of a reference, given the text before it
 * @param pass called with each piece between two references, in order
 */
function fill(
  text: string,
  put: (name: string, before: string) => string,
  pass: (piece: string) => void = () => {},
): string {
  let filled = ''
  let from = 0
  const literal = (piece: string) => {
    pass(piece)
    filled += piece
  }
  for (const { index, 0: whole, 1: dot, 2: name = '' } of text.matchAll(REFERENCE)) {
    literal(text.slice(from, index))
    if (dot) literal(OPEN)
    else filled += put(name, filled)
    from = index + whole.length
  }
  literal(text.slice(from))
  return filled
}

/** Headers, parameters and form fields whose values are confidential. */
const SECRET_FIELDS =
  /^(?:(?:proxy-)?authorization|cookie|auth|key|sig)$|api[-_ ]?key|access[-_ ]?key|subscription[-_ ]?key|token(?!s)|secret|passw|passphrase|credential|private[-_ ]?key|signature|x-auth/i

/** A public authentication scheme before a secret. */
const SCHEME = /^\s*(?:bearer|basic|token|apikey|api-key|key|digest|negotiate)\s+/i

export const looksSecret = (name: string): boolean => SECRET_FIELDS.test(name.trim())

/**
 * Splits a text of such a field into its scheme (`Bearer `) and the secret part; null if there is none: punctuation and
 * spaces are not secret.
 */
export function splitSecret(text: string): { scheme: string; secret: string } | null {
  const scheme = SCHEME.exec(text)?.[0] ?? ''
  const secret = text.slice(scheme.length).trim()
  return /[\p{L}\p{N}]/u.test(secret) ? { scheme, secret } : null
}

/**
 * Converts a call from before secrets existed: values of known secrets become references, and other values that look
 * like secrets become `hidden` (null: they stay).
 * @param names secret names by value
 */
export function sealCall(call: HttpCall, names: ReadonlyMap<string, string>, hidden: string | null): HttpCall {
  if (call.secrets) return call
  const { auth, body } = call
  const values = [...names.keys()].sort((a, b) => b.length - a.length)
  const used = new Set<string>()
  const field = (text: string): string => {
    const split = splitSecret(text)
    if (!split) return text
    const named = names.get(split.secret)
    let marks = named === undefined ? 0 : 1
    let marked = named === undefined ? split.secret : secretMark(named)
    if (marks === 0)
      for (const value of values) {
        const pieces = marked.split(value)
        marks += pieces.length - 1
        marked = pieces.join(secretMark(names.get(value) ?? ''))
      }
    for (const [, name = ''] of marked.matchAll(new RegExp(MARKED, 'g'))) used.add(name)
    const referring = marks > 0 ? withReferences(marked, marks) : null
    return split.scheme + (referring ?? hidden ?? split.secret)
  }
  const rows = (pairs: HttpCall['headers']) =>
    pairs.map(([name, content]): [string, string] => [name, looksSecret(name) ? field(content) : content])
  const sealed: HttpCall = {
    ...call,
    auth: auth && sealAuth(auth, field),
    query: rows(call.query),
    headers: rows(call.headers),
    body: body && 'fields' in body ? { ...body, fields: rows(body.fields) } : body,
  }
  return used.size > 0 ? { ...sealed, secrets: [...used] } : sealed
}

function sealAuth(auth: NonNullable<HttpCall['auth']>, field: (text: string) => string): HttpCall['auth'] {
  switch (auth.type) {
    case 'basic':
      return auth.password.trim() === ''
        ? { ...auth, username: field(auth.username) }
        : { ...auth, password: field(auth.password) }
    case 'bearer':
      return { ...auth, token: field(auth.token) }
    case 'header':
      return { ...auth, value: field(auth.value) }
  }
}
