/** A form's values by the brackets in their names: `items[0][price]=…` is `{ items: [{ price: … }] }`. */
export interface Fields {
  [name: string]: Field
}
export type Field = string | Field[] | Fields

/** How deep names are nested at most; Stripe's own go to seven. */
const DEEPEST = 10

/**
 * @param flat a form or query as it was sent
 * @returns the values in the form that contracts describe. @throws SyntaxError for names that contradict each other
 */
export function nest(flat: Readonly<Record<string, unknown>>): Fields {
  const whole: Fields = {}
  for (const [name, value] of Object.entries(flat)) {
    const path = name.split('[').map((part) => part.replace(/\]$/, ''))
    if (path.length > DEEPEST || path.some((part) => part === '__proto__')) throw new SyntaxError(`${name} is no name`)
    const [last = '', ...above] = path.reverse()
    let place = whole
    for (const part of above.reverse()) {
      place[part] ??= {}
      const next = place[part]
      if (typeof next !== 'object') throw new SyntaxError(`${name} contradicts another name`)
      place = next as Fields
    }
    place[last] = (Array.isArray(value) ? value.map(String) : String(value)) as Field
  }
  return listed(whole) as Fields
}

/** Objects whose names are 0, 1, … are lists; `name[]` is one, too. */
function listed(value: Field): Field {
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(listed)
  const names = Object.keys(value)
  if (names.length === 1 && names[0] === '') return [value[''] ?? ''].flat().map(listed)
  if (names.length > 0 && names.every((name, at) => name === String(at))) return Object.values(value).map(listed)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, listed(part)]))
}

export const textOf = (value: Field | undefined): string | undefined => (typeof value === 'string' ? value : undefined)
export const fieldsIn = (value: Field | undefined): Fields =>
  typeof value === 'object' && !Array.isArray(value) ? value : {}
export const listIn = (value: Field | undefined): Field[] => (Array.isArray(value) ? value : [])
export const isTrue = (value: Field | undefined): boolean => value === 'true'
export const metadataIn = (value: Field | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(fieldsIn(value)).map(([name, text]) => [name, textOf(text) ?? '']))
/** A list of ids to expand, or of lookup keys. */
export const textsIn = (value: Field | undefined): string[] => [value ?? []].flat().map((text) => textOf(text) ?? '')
