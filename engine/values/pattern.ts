import { charge } from '../budget'
import { compilePattern, type Pattern } from './patternCompiler'

/** The most work of one match, in tests x characters: about a tenth of a second. */
const MOST_TESTS = 2_000_000
/** The cost of testing a character, and of parsing a pattern's character. */
const TEST = 12
const SIGN = 50

/**
 * Whether an editor's pattern matches anywhere in a text. Uses our own matcher, since a pattern such as `(a+)+$` blocks
 * JavaScript's RegExp for hours: this one simulates all states at once, in O(pattern x text). Supports literals, `.`,
 * classes, `\d \w \s \b` and their opposites, `^ $`, groups, `|`, `* + ? {n,m}`, and `/…/i`; no back-references or
 * look-around (`isPattern` is false for them, and they match nothing). A match that would take more than `MOST_TESTS`
 * (a long pattern on a long text) fails.
 */
export function matchesPattern(source: string, text: string): boolean {
  // a cached pattern costs the same: a turn's cost must not depend on what ran before it
  charge(Math.min(source.length, MOST_TESTS) * SIGN)
  const program = compiled(source)
  if (!program) return false
  const tests = program.tests * (text.length + 1)
  if (tests > MOST_TESTS) return false
  charge(tests * TEST)
  const subject = [...text]
  return run(program, program.ignoreCase ? subject.map((char) => char.toLowerCase()) : subject)
}

/** Caches the last compiled pattern: a list is searched with one pattern for all of its items. */
const last: { source: string; program: Pattern | null } = { source: '', program: compilePattern('') }

function compiled(source: string): Pattern | null {
  if (last.source !== source) Object.assign(last, { source, program: compilePattern(source) })
  return last.program
}

/** Whether `matchesPattern` supports the pattern. */
export const isPattern = (source: string): boolean => compilePattern(source) !== null

function run({ states }: Pattern, subject: string[]): boolean {
  const seen = new Int32Array(states.length).fill(-1)
  let current: number[] = []
  for (let at = 0; at <= subject.length; at++) {
    const next: number[] = []
    // the match may start anywhere: the first state is added at every character
    if (follow(states, [...current, 0], at, subject, seen, next)) return true
    const char = subject[at]
    if (char === undefined) return false
    current = next.flatMap((index) => {
      const state = states[index]
      return state?.type === 'char' && state.test(char) ? [index + 1] : []
    })
  }
  return false
}

/** Adds to `next` the reading states reachable from `starts` without reading; true if the final state is reachable. */
function follow(
  states: Pattern['states'],
  starts: number[],
  at: number,
  subject: string[],
  seen: Int32Array,
  next: number[],
): boolean {
  const open = starts
  while (open.length > 0) {
    const index = open.pop() as number
    if (seen[index] === at) continue
    seen[index] = at
    const state = states[index]
    if (!state || state.type === 'match') return true
    if (state.type === 'char') next.push(index)
    else if (state.type === 'split') open.push(...state.to)
    else if (state.test(subject[at - 1], subject[at])) open.push(index + 1)
  }
  return false
}
