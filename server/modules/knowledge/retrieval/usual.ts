import { featuresOf, foldAll } from './features'
import { questionsIn, unrelatedLanguages } from './unrelated'
import { tokenize } from './words'

/** The least share; rarer features are not typical of questions. */
const LEAST = 0.05

let known: ReadonlyMap<number, number> | undefined

/**
 * The share of everyday questions with a feature, in the language where it is greatest; 0 if low. Identifies words of
 * any question, which a chatbot with few chunks can't recognise by their frequency.
 */
export function usualShare(feature: number): number {
  known ??= count()
  return known.get(feature) ?? 0
}

function count(): ReadonlyMap<number, number> {
  const shares = new Map<number, number>()
  for (const language of unrelatedLanguages) {
    const questions = questionsIn(language) ?? []
    const counts = new Map<number, number>()
    for (const question of questions) {
      const words = tokenize(question)
      const features = new Set([...featuresOf(words), ...featuresOf(foldAll(words))].flat())
      for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1)
    }
    for (const [feature, count] of counts) {
      const share = count / questions.length
      if (share >= LEAST) shares.set(feature, Math.max(share, shares.get(feature) ?? 0))
    }
  }
  return shares
}
