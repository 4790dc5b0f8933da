import { featuresOf, vectorOf } from './features'
import { nonePhrasesFor } from './nonePhrases'

/** Training data: a trigger block and what visitors may type to start there (at most 50 phrases, SPEC.md 9). */
export interface IntentExamples {
  blockId: string
  phrases: readonly string[]
}

/** A trained classifier as plain data, which a worker can transfer. Row `f` of `weights` has one weight per class. */
export interface IntentModel {
  /** the classes; the last one, `null`, is "none" */
  classes: (string | null)[]
  vocabulary: string[]
  rarity: Float32Array
  unseen: number
  weights: Float32Array
  bias: Float32Array
}

/** Passes over the phrases: fewer if there are many. */
const EPOCHS = { most: 40, least: 20, steps: 100_000 }
const RATE = 2
const DECAY = 1e-5
/** dropout: the share of features left out in each pass, so that no single word decides */
const DROPPED = 0.5

/**
 * Trains a softmax regression on words, stems, bigrams and n-grams of the phrases, by stochastic gradient descent with
 * dropout. Deterministic. "None" is a class of its own, trained on common phrases about other topics. Figures
 * (`npm run bench -- intents`, CLINC150): see README.md. Yields after each phrase, at most a millisecond of work, so
 * that a server can do other work in between.
 */
export function* trainIntentsInSteps(intents: readonly IntentExamples[]): Generator<void, IntentModel> {
  const used = intents
    .map(({ blockId, phrases }) => ({ blockId, phrases: phrases.filter((phrase) => featuresOf(phrase).length > 0) }))
    .filter(({ phrases }) => phrases.length > 0)
  const classes = [...used.map(({ blockId }) => blockId), null]
  const none = nonePhrasesFor(used.flatMap(({ phrases }) => phrases))
  const examples = [...used.map(({ phrases }) => phrases), none].flatMap((phrases, target) =>
    phrases.map((phrase) => ({ phrase, target })),
  )
  const { vocabulary, rarity, unseen } = yield* learnVocabulary(examples.map(({ phrase }) => phrase))
  const indexes = new Map(vocabulary.map((key, index) => [key, index]))
  const vectors: ReturnType<typeof vectorOf>[] = []
  for (const { phrase } of examples) {
    vectors.push(vectorOf(phrase, (key) => indexes.get(key), rarity, unseen))
    yield
  }
  const model: IntentModel = {
    classes,
    vocabulary,
    rarity,
    unseen,
    weights: new Float32Array(vocabulary.length * classes.length),
    bias: new Float32Array(classes.length),
  }
  const draw = createDraw()
  const order = examples.map((_, index) => index)
  const epochs = Math.min(EPOCHS.most, Math.max(EPOCHS.least, Math.round(EPOCHS.steps / examples.length)))
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, draw)
    const rate = RATE * (1 - epoch / epochs)
    for (const index of order) {
      const kept = (vectors[index] ?? []).filter(() => draw() >= DROPPED)
      step(model, kept, examples[index]?.target ?? 0, rate)
      yield
    }
  }
  return model
}

/** Trains without pauses. */
export function trainIntents(intents: readonly IntentExamples[]): IntentModel {
  const training = trainIntentsInSteps(intents)
  for (;;) {
    const step = training.next()
    if (step.done) return step.value
  }
}

/** Turns raw scores into probabilities, in place. */
export function softmax(scores: Float64Array): void {
  const most = scores.reduce((largest, score) => Math.max(largest, score), Number.NEGATIVE_INFINITY)
  let sum = 0
  for (let at = 0; at < scores.length; at++) sum += scores[at] = Math.exp((scores[at] ?? 0) - most)
  for (let at = 0; at < scores.length; at++) scores[at] = (scores[at] ?? 0) / sum
}

/** The raw score of each class. */
export function scoresOf(model: IntentModel, vector: readonly { index: number; value: number }[]): Float64Array {
  const { weights, bias } = model
  const scores = Float64Array.from(bias)
  const count = scores.length
  for (const { index, value } of vector) {
    const row = index * count
    for (let at = 0; at < count; at++) scores[at] = (scores[at] ?? 0) + (weights[row + at] ?? 0) * value
  }
  return scores
}

/** One gradient step of the log loss of one phrase. */
function step(model: IntentModel, vector: { index: number; value: number }[], target: number, rate: number): void {
  const { weights, bias } = model
  const errors = scoresOf(model, vector)
  softmax(errors)
  errors[target] = (errors[target] ?? 0) - 1
  const count = errors.length
  for (let at = 0; at < count; at++) bias[at] = (bias[at] ?? 0) - 0.01 * rate * (errors[at] ?? 0)
  for (const { index, value } of vector) {
    const row = index * count
    for (let at = 0; at < count; at++) {
      const weight = weights[row + at] ?? 0
      weights[row + at] = weight - rate * ((errors[at] ?? 0) * value + DECAY * weight)
    }
  }
}

function* learnVocabulary(phrases: string[]): Generator<void, Pick<IntentModel, 'vocabulary' | 'rarity' | 'unseen'>> {
  const holders = new Map<string, number>()
  for (const phrase of phrases) {
    for (const { key } of featuresOf(phrase)) holders.set(key, (holders.get(key) ?? 0) + 1)
    yield
  }
  const rarityOf = (count: number) => Math.log(1 + phrases.length / count) ** 0.7
  return {
    vocabulary: [...holders.keys()],
    rarity: Float32Array.from(holders.values(), rarityOf),
    unseen: rarityOf(1),
  }
}

/** Reproducible pseudorandom numbers in [0, 1): a linear congruential generator is enough for shuffling and dropout. */
function createDraw(): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function shuffle(order: number[], draw: () => number): void {
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(draw() * (last + 1))
    const moved = order[last] ?? 0
    order[last] = order[other] ?? 0
    order[other] = moved
  }
}
