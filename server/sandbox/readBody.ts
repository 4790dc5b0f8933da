import secureJson from 'secure-json-parse'

/**
 * @returns JSON parsed; a form as an object of texts, a name that occurs several times as an array; bytes of any other
 * type; undefined for no body. @throws SyntaxError for JSON that is none
 */
export function readBody(contentType: string | undefined, bytes: Buffer | undefined): unknown {
  if (!bytes || bytes.length === 0) return undefined
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase()
  if (type === 'application/json') return secureJson.parse(bytes.toString())
  if (type !== 'application/x-www-form-urlencoded') return bytes
  const form: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of new URLSearchParams(bytes.toString())) {
    const before = form[name]
    form[name] = before === undefined ? value : [before, value].flat()
  }
  return { ...form }
}
