const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345'
const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** @returns an id of 18 signs: the last three tell which of the first 15 are capital letters */
export function fullId(id15: string): string {
  const suffix = [0, 5, 10].map((from) => {
    const bits = [...id15.slice(from, from + 5)].reduce((sum, sign, at) => sum + (/[A-Z]/.test(sign) ? 1 << at : 0), 0)
    return ALPHABET[bits] ?? ''
  })
  return id15 + suffix.join('')
}

/** @returns the id with that number of an object whose ids begin with the prefix */
export function makeId(prefix: string, number: number): string {
  let rest = number
  let tail = ''
  while (tail.length < 12 - 3) {
    tail = (SIGNS[rest % SIGNS.length] ?? '0') + tail
    rest = Math.floor(rest / SIGNS.length)
  }
  return fullId(`${prefix}5e0${tail}`)
}

/** Ids of 15 and of 18 signs mean the same record. */
export const sameId = (a: string, b: string): boolean => a.slice(0, 15) === b.slice(0, 15)

export const isId = (text: string): boolean => /^[A-Za-z0-9]{15}([A-Za-z0-9]{3})?$/.test(text)
