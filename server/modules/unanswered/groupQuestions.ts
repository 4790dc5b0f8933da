import { isSmallWord } from '../knowledge/lexicon/smallWords'
import { stemOf } from '../knowledge/lexicon/stem'

/** Words of a question that are compared; the others are left aside, so that a long one costs little. */
const MOST_WORDS = 24
/** The least share of what two questions say together that both say. */
const ALIKE = 0.5

/**
 * Puts questions together that say nearly the same: words count without endings and small words, rare ones more.
 * Each joins the group whose first question is most like it.
 * @param questions by their wording, the most important first
 * @returns in the order of each group's first question; `n` questions take `n` comparisons with each group at most
 */
export function groupQuestions<Question extends { wording: string }>(questions: readonly Question[]): Question[][] {
  const words = questions.map(({ wording }) => wordsOf(wording))
  const counts = new Map<string, number>()
  for (const set of words) for (const word of set) counts.set(word, (counts.get(word) ?? 0) + 1)
  const weightOf = (word: string) => Math.log(1 + questions.length / (counts.get(word) ?? 1))
  const groups: { first: ReadonlySet<string>; members: Question[] }[] = []
  for (const [at, question] of questions.entries()) {
    const own = words[at] ?? new Set()
    let best: (typeof groups)[number] | undefined
    let closest = ALIKE
    for (const group of groups) {
      const likeness = likenessOf(own, group.first, weightOf)
      if (likeness < closest) continue
      closest = likeness
      best = group
    }
    if (best) best.members.push(question)
    else groups.push({ first: own, members: [question] })
  }
  return groups.map(({ members }) => members)
}

function wordsOf(wording: string): ReadonlySet<string> {
  const all = wording
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .split(' ')
    .slice(0, MOST_WORDS * 2)
  const telling = all.filter((word) => !isSmallWord(word))
  return new Set((telling.length > 0 ? telling : all).slice(0, MOST_WORDS).map(stemOf))
}

function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>, weightOf: (word: string) => number): number {
  let shared = 0
  let all = 0
  for (const word of one) {
    const weight = weightOf(word)
    all += weight
    if (other.has(word)) shared += weight
  }
  for (const word of other) if (!one.has(word)) all += weightOf(word)
  return all === 0 ? 0 : shared / all
}
