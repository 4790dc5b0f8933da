import { tokenize } from './words'

const COUNT = 150
const WORDS = 8
/** Words in at least this share of the texts belong to the language, not to the topic. */
const COMMON = 0.1
/** The share of the other words that become unknown ones; the rest are words from elsewhere in the texts. */
const UNKNOWN = 0.75

/**
 * Makes up questions about other topics in the language of some texts, whichever it is: its common words in order, the
 * other words with shuffled letters. Deterministic.
 */
export function madeUpQuestions(texts: readonly string[]): string[] {
  const random = steady()
  const lists = texts.map(tokenize).filter(({ length }) => length >= WORDS)
  const counts = new Map<string, number>()
  for (const list of lists) for (const word of new Set(list)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)] as Value
  const isCommon = (word: string) => (counts.get(word) ?? 0) >= Math.max(4, lists.length * COMMON)
  const rare = lists.flat().filter((word) => !isCommon(word))
  if (lists.length === 0) return []
  return Array.from({ length: COUNT }, () => {
    const list = pick(lists)
    const from = Math.floor(random() * (list.length - WORDS + 1))
    const words = list.slice(from, from + WORDS).map((word) => {
      if (isCommon(word)) return word
      return random() < UNKNOWN || rare.length === 0 ? shuffled(word, random) : pick(rare)
    })
    return words.join(' ')
  })
}

function shuffled(word: string, random: () => number): string {
  const letters = [...word]
  for (let at = letters.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[letters[at], letters[other]] = [letters[other] as string, letters[at] as string]
  }
  return letters.join('')
}

/** A seeded random generator, 0 to 1: calibrations must be reproducible. */
function steady(): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
