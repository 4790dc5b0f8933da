import { type Lists, packLists, readLists } from '../lexicon/lists'
import { prepared } from '../prepared'
import { featuresOf, foldAll } from './features'
import { questionsIn, unrelatedLanguages } from './unrelated'
import { tokenize } from './words'

/** The least share; rarer features are not typical of questions. */
const LEAST = 0.05
/** Shares are kept as whole numbers of this part. */
const PART = 1e9

/** What many everyday questions have. */
export interface Usual {
  /**
   * The share of everyday questions with a feature, in the language where it is greatest; 0 if low. Identifies words of
   * any question, which a chatbot with few chunks can't recognise by their frequency.
   */
  share(feature: number): number
}

let loading: Promise<Usual> | undefined

/** Of this thread, loaded once: as the build made it, or else counted with pauses for other work. */
export function loadUsual(): Promise<Usual> {
  loading ??= prepared('usual', readUsual, async () => readUsual(await packUsual()))
  return loading
}

function readUsual(bytes: Uint8Array): Usual {
  const [shares] = readLists(bytes)
  if (!shares) throw new Error('These are no shares.')
  return usualOf(shares)
}

const usualOf = (shares: Lists): Usual => ({ share: (feature) => (shares.get(feature)?.[0] ?? 0) / PART })

/** Counts the features of everyday questions in all languages. @returns what `loadUsual` reads */
export async function packUsual(): Promise<Uint8Array> {
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
    await new Promise((resolve) => setImmediate(resolve))
  }
  return packLists([new Map([...shares].map(([feature, share]) => [feature, [Math.round(share * PART)]]))])
}
