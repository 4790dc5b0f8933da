import type { SaveSecret } from '../../engine/flow/defineBlock'
import { looksSecret, splitSecret } from '../../engine/flow/httpSecrets'
import { type DynamicPart, type DynamicValue, isBlankValue } from '../../engine/values/dynamicValue'
import { secretIdOf } from '../../engine/values/secrets'
import type { HttpPair, HttpRequestData } from './schema'

/**
 * Replaces plain-text secrets by chips of project secrets: the password, token and key of every type of authentication
 * (also unselected ones, whose fields are kept), and the values of headers, parameters and form fields with such names.
 * Texts that consist of variables and a scheme (`Bearer {token}`) stay.
 */
export function sealPlain(data: HttpRequestData, save: SaveSecret): HttpRequestData {
  const { auth } = data
  const pairs = (rows: readonly HttpPair[]) => rows.map((row) => sealPair(row, save))
  return {
    ...data,
    auth: {
      ...auth,
      // a key is often given as the user name, without a password
      username: isBlankValue(auth.password) ? seal(auth.username, 'API_KEY', save) : auth.username,
      password: seal(auth.password, 'API_PASSWORD', save),
      token: seal(auth.token, 'API_TOKEN', save),
      value: seal(auth.value, wantedName(textOf(auth.name), 'API_KEY'), save),
    },
    query: pairs(data.query),
    headers: pairs(data.headers),
    fields: pairs(data.fields),
  }
}

const sealPair = (row: HttpPair, save: SaveSecret): HttpPair =>
  looksSecret(textOf(row.name))
    ? { ...row, value: seal(row.value, wantedName(textOf(row.name), 'API_KEY'), save) }
    : row

function seal(value: DynamicValue, name: string, save: SaveSecret): DynamicValue {
  const before: readonly DynamicPart[] = value.type === 'static' ? [{ type: 'text', text: value.value }] : value.parts
  let sealed = false
  const parts = before.flatMap((part): DynamicPart[] => {
    const split = part.type === 'text' ? splitSecret(part.text) : null
    if (!split) return [part]
    sealed = true
    const chip: DynamicPart = { type: 'variable', variable_id: secretIdOf(save(split.secret, name)) }
    return split.scheme === '' ? [chip] : [{ type: 'text', text: split.scheme }, chip]
  })
  return sealed ? { type: 'dynamic', parts } : value
}

/** `API_TOKEN` for Authorization, otherwise by the header: `X_API_KEY`. */
export function wantedName(name: string, otherwise: string): string {
  const text = name.trim()
  if (/^(?:proxy-)?authorization$/i.test(text)) return 'API_TOKEN'
  return /[A-Za-z0-9]/.test(text) ? text : otherwise
}

export const textOf = (value: DynamicValue): string =>
  value.type === 'static' ? value.value : value.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
