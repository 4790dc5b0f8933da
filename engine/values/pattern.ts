import { compilePattern } from './patternCompiler'

/** What matching may cost, in states x characters; each match takes its share. */
export interface MatchWork {
  left: number
}

/** For all patterns of one block together: about a tenth of a second. */
export const newMatchWork = (): MatchWork => ({ left: 2_000_000 })

/**
 * Whether a text matches a pattern that an editor wrote, somewhere in it. A regular expression of our own, since a pattern such
 * as `(a+)+$` holds JavaScript's for hours: all states are followed at once, so the time grows with pattern x text and no more.
 * It knows literals, `.`, classes, `\d \w \s \b` and their opposites, `^ $`, groups, `|`, `* + ? {n,m}`, and `/…/i`; it does
 * not know back-references and look-around (`isPattern` is false for them, and they match nothing). What would take more work
 * than is left (a long pattern on a long text, or hundreds of them) matches nothing.
 */
export function matchesPattern(source: string, text: string, work = newMatchWork()): boolean {
  const program = compilePattern(source)
  if (!program) return false
  const cost = program.states.length * (text.length + 1)
  if (cost > work.left) return false
  work.left -= cost
  const subject = [...text]
  return run(program, program.ignoreCase ? subject.map((char) => char.toLowerCase()) : subject)
}

/** Whether `matchesPattern` can use the pattern. */
export const isPattern = (source: string): boolean => compilePattern(source) !== null

function run({ states }: NonNullable<ReturnType<typeof compilePattern>>, subject: string[]): boolean {
  const seen = new Int32Array(states.length).fill(-1)
  let current: number[] = []
  for (let at = 0; at <= subject.length; at++) {
    const next: number[] = []
    // the match may begin anywhere: the first state joins at every character
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

/** Adds to `next` the reading states that are reached from `starts` without reading; true when the end is among them. */
function follow(
  states: NonNullable<ReturnType<typeof compilePattern>>['states'],
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
