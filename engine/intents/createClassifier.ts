import type { Classifier } from './classifier'
import { vectorOf } from './features'
import { type IntentModel, scoresOf, softmax } from './trainIntents'

/** The default threshold; chosen on 12-intent bots, see README.md. */
export const MIN_CONFIDENCE = 0.7

/** A classifier of a trained model. A text without any feature in common with the phrases matches nothing. */
export function createClassifier(model: IntentModel, usual = MIN_CONFIDENCE): Classifier {
  const indexes = new Map(model.vocabulary.map((key, index) => [key, index]))
  return (text, minConfidence = usual) => {
    const vector = vectorOf(text, (key) => indexes.get(key), model.rarity, model.unseen)
    if (vector.length === 0) return []
    const chances = scoresOf(model, vector)
    softmax(chances)
    const none = chances[chances.length - 1] ?? 0
    return model.classes
      .flatMap((blockId, at) => (blockId === null ? [] : [{ blockId, confidence: chances[at] ?? 0 }]))
      .filter(({ confidence }) => confidence >= minConfidence && confidence > none)
      .sort((a, b) => b.confidence - a.confidence)
  }
}
