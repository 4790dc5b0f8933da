import type { PlainSecret } from '../../engine/flow/defineBlock'
import { looksSecret, splitSecret } from '../../engine/flow/httpSecrets'
import { type DynamicValue, dynamicValueVariables } from '../../engine/values/dynamicValue'
import type { HttpRequestData } from './schema'
import { textOf, wantedName } from './sealPlain'

/**
 * Finds plain-text secrets in a request: headers, parameters, form fields and authentication whose purpose is a secret.
 * Values with any chip are skipped: text around one is seldom a secret (`sid={session}`).
 */
export function plainSecrets(data: HttpRequestData): PlainSecret[] {
  const { auth, query, headers, bodyType, fields, method } = data
  const sendsFields = method !== 'GET' && method !== 'HEAD' && (bodyType === 'form' || bodyType === 'urlencoded')
  const rows = Object.entries({ query, headers, fields: sendsFields ? fields : [] })
    .flatMap(([list, pairs]) =>
      pairs.map(({ name, value }, at) => ({ path: `${list}.${at}.value`, name: textOf(name).trim(), value })),
    )
    .filter(({ name }) => looksSecret(name))
  return [
    ...rows.flatMap(({ path, name, value }) => plainSecret(path, name, value, wantedName(name, 'API_KEY'))),
    ...ofAuthentication(auth),
  ]
}

function ofAuthentication(auth: HttpRequestData['auth']): PlainSecret[] {
  switch (auth.type) {
    case 'basic':
      return plainSecret('auth.password', 'Authorization', auth.password, 'API_PASSWORD')
    case 'bearer':
      return plainSecret('auth.token', 'Authorization', auth.token, 'API_TOKEN')
    case 'header': {
      const name = textOf(auth.name).trim()
      return plainSecret('auth.value', name || 'Authorization', auth.value, wantedName(name, 'API_KEY'))
    }
    case 'none':
      return []
  }
}

function plainSecret(path: string, name: string, value: DynamicValue, wanted: string): PlainSecret[] {
  if (dynamicValueVariables(value).length > 0) return []
  const split = splitSecret(textOf(value))
  return split ? [{ path, name, ...split, wantedName: wanted }] : []
}
