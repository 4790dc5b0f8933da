/** Represents a variable in JSON that is validated before its value is known: any value, or any text within quotes. */
export const ANY_VALUE = '\ue000'

const DEEPEST = 64
const SPACE = /[ \t\n\r]*/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them within quotes
const OPEN_STRING = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|\ue000/y

/**
 * Finds where a text stops being JSON. JavaScript engines differ in their messages, and in whether they name the
 * position.
 * @returns a sentence with line and column, or null for JSON
 */
export function jsonProblem(text: string): string | null {
  let at = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    at += found?.[0].length ?? 0
    return found !== null
  }
  const skip = (character: string): boolean => {
    take(SPACE)
    if (text[at] !== character) return false
    at++
    return true
  }
  /** each returns what is expected at `at`, or null after consuming it */
  const readValue = (depth: number): string | null => {
    if (depth > DEEPEST) return 'no deeper nesting'
    if (skip('{')) return readList('}', () => readMember(depth))
    if (skip('[')) return readList(']', () => readValue(depth + 1))
    return text[at] === '"' ? readString() : take(SCALAR) ? null : 'a value'
  }
  const readString = (): string | null => {
    take(OPEN_STRING)
    if (text[at] !== '"') return 'the end of the text in quotes'
    at++
    return null
  }
  const readMember = (depth: number): string | null => {
    take(SPACE)
    if (text[at] !== '"') return 'a name in quotes'
    return readString() ?? (skip(':') ? readValue(depth + 1) : 'a colon')
  }
  const readList = (end: string, readItem: () => string | null): string | null => {
    if (skip(end)) return null
    for (;;) {
      const expected = readItem()
      if (expected) return expected
      if (skip(end)) return null
      if (!skip(',')) return `a comma or ${end}`
    }
  }
  const expected = readValue(0) ?? (take(SPACE) && at < text.length ? 'nothing more' : null)
  return expected === null ? null : `This is not valid JSON: ${describe(text, at, expected)}`
}

function describe(text: string, at: number, expected: string): string {
  const before = text.slice(0, at).split('\n')
  const [found] = [...text.slice(at, at + 2)]
  const instead = found === undefined ? 'but it ends there' : `not ${found === ANY_VALUE ? 'a variable' : `“${found}”`}`
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1} should be ${expected}, ${instead}`
}
