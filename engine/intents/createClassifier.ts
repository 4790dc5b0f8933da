import type { Classifier } from './classifier'
import { wordIn } from './features'
import { confidenceOf, type Signs } from './judge'
import type { FindMeaning } from './meaning'
import { createMend } from './mendWords'
import { speakFor } from './phraseKernel'
import { comparedOf, type IntentModel, linearScores, softmax } from './trainIntents'

/** The default threshold; what it lets in is said in README.md. */
export const MIN_CONFIDENCE = 0.7

/** How much the phrases' voice counts beside features and meaning. */
const SPOKEN = 12
/** Chances below this are alike. */
const LEAST = 1e-4

/**
 * A classifier of a trained model. A text without any feature in common with the phrases matches nothing.
 * @param find the meanings that the model was trained with
 */
export function createClassifier(model: IntentModel, find: FindMeaning | null, usual = MIN_CONFIDENCE): Classifier {
  const judge = createJudge(model, find)
  return (text, minConfidence = usual) =>
    judge(text)
      .map(({ blockId, signs }) => ({ blockId, confidence: confidenceOf(signs) }))
      .filter(({ confidence }) => confidence >= minConfidence)
      .sort((a, b) => b.confidence - a.confidence)
}

/** What speaks for each intent. */
export function createJudge(model: IntentModel, find: FindMeaning | null) {
  const indexes = new Map(model.vocabulary.map((key, index) => [key, index]))
  const isWord = model.usesMeaning && find ? (word: string) => find(word) !== null : () => true
  const mend = createMend(wordsOfPhrases(model), isWord)
  const weight = SPOKEN * model.kernelShare
  return (text: string): { blockId: string; signs: Signs }[] => {
    const compared = comparedOf(mend(text), indexes, model, model.usesMeaning ? find : null)
    if (compared.vector.length === 0) return []
    const { scores: spoken, nearest } = speakFor(model.kernel, compared)
    const scores = linearScores(model, compared).map((score, at) => score + weight * (spoken[at] ?? 0))
    const chances = scores.slice()
    softmax(chances)
    const none = model.classes.length - 1
    // a single intent is held against none
    const rivals = none > 1 ? none : none + 1
    const likeliest = topTwo(chances.subarray(0, rivals))
    const loudest = topTwo(spoken.subarray(0, rivals))
    return model.classes.flatMap((blockId, at) => {
      if (blockId === null) return []
      const chance = chances[at] ?? 0
      const signs = {
        margin: Math.log((chance + LEAST) / (otherThan(at, likeliest) + LEAST)),
        score: scores[at] ?? 0,
        spoken: (spoken[at] ?? 0) - otherThan(at, loudest),
        near: (nearest[at] ?? 0) - (model.kernel.usual[at] ?? 0),
      }
      return [{ blockId, signs }]
    })
  }
}

const wordsOfPhrases = ({ vocabulary }: IntentModel): string[] => vocabulary.flatMap((key) => wordIn(key) ?? [])

interface TopTwo {
  first: number
  at: number
  second: number
}

function topTwo(values: Float64Array): TopTwo {
  const top: TopTwo = { first: Number.NEGATIVE_INFINITY, at: -1, second: Number.NEGATIVE_INFINITY }
  for (const [at, value] of values.entries()) {
    if (value > top.first) Object.assign(top, { first: value, at, second: top.first })
    else if (value > top.second) top.second = value
  }
  return top
}

/** The greatest value but that at a place. */
const otherThan = (at: number, { first, at: place, second }: TopTwo): number => (at === place ? second : first)
