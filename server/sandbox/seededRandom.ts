/** Random values that are the same for the same seed, so that a run can be repeated. Not for secrets of real people. */
export interface SeededRandom {
  /** from 0 up to, not including, 1 */
  (): number
  /** letters and digits */
  text(length: number): string
  /** digits, the first of them no zero */
  digits(length: number): string
}

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  // xorshift over 32 bits, after a step that keeps small seeds apart
  state = Math.imul(state ^ 0x9e3779b9, 0x85ebca6b) >>> 0 || 1
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 0x1_0000_0000
  }
  const pick = (signs: string) => signs[Math.floor(next() * signs.length)] ?? ''
  return Object.assign(next, {
    text: (length: number) => Array.from({ length }, () => pick(SIGNS)).join(''),
    digits: (length: number) =>
      pick('123456789') + Array.from({ length: length - 1 }, () => pick('0123456789')).join(''),
  })
}
