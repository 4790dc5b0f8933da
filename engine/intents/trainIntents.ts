import { featuresOf, VECTOR_LENGTH, vectorOf } from './features'
import { type FindMeaning, meaningOf } from './meaning'
import { nonePhrasesFor } from './nonePhrases'
import { type Compared, MOST_COMPARED, type PhraseKernel, trainKernel } from './phraseKernel'

/** Training data: a trigger block and what visitors may type to start there (at most 50 phrases, SPEC.md 9). */
export interface IntentExamples {
  blockId: string
  phrases: readonly string[]
}

/**
 * A trained classifier as plain data, which a worker can transfer. Row `f` of `weights` has one weight per class;
 * rows
 * after those of the vocabulary are the numbers of a text's meaning.
 */
export interface IntentModel {
  /** the classes; the last one, `null`, is "none" */
  classes: (string | null)[]
  vocabulary: string[]
  rarity: Float32Array
  unseen: number
  weights: Float32Array
  bias: Float32Array
  /** whether it was trained with the meanings of words, and needs them */
  usesMeaning: boolean
  /** what the phrases themselves say, and the share of them that says it */
  kernel: PhraseKernel
  kernelShare: number
}

/** The length of a text's meaning beside its features. */
const MEANING = 2

/** Passes over the phrases: fewer if there are many. */
const EPOCHS = { most: 40, least: 20, steps: 100_000 }
const RATE = 2
const DECAY = 1e-5
/** dropout: the share of features left out in each pass, so that no single word decides */
const DROPPED = 0.5
/** Classes that are wrong by less are left as they are in a step: most of many classes are. */
const SLIGHT = 1e-3

/**
 * Trains a softmax regression on words, stems, bigrams, n-grams and meanings of the phrases, by stochastic gradient
 * descent with dropout, and a kernel regression on whole phrases. Deterministic. "None" is a class of its own,
 * trained
 * on common phrases about other topics. Figures (`npm run bench -- intents`): see README.md. Yields after each
 * phrase, a
 * few milliseconds of work at most, so that a server can do other work in between.
 * @param find the meanings of words, if there are any
 */
export function* trainIntentsInSteps(
  intents: readonly IntentExamples[],
  find: FindMeaning | null,
): Generator<void, IntentModel> {
  const used = intents
    .map(({ blockId, phrases }) => ({ blockId, phrases: phrases.filter((phrase) => featuresOf(phrase).length > 0) }))
    .filter(({ phrases }) => phrases.length > 0)
  const classes = [...used.map(({ blockId }) => blockId), null]
  const none = nonePhrasesFor(used.flatMap(({ phrases }) => phrases))
  const examples = [...used.map(({ phrases }) => phrases), none].flatMap((phrases, target) =>
    phrases.map((phrase) => ({ phrase, target })),
  )
  const words = yield* learnVocabulary(examples.map(({ phrase }) => phrase))
  const indexes = new Map(words.vocabulary.map((key, index) => [key, index]))
  const compared: (Compared & { target: number })[] = []
  for (const { phrase, target } of examples) {
    compared.push({ ...comparedOf(phrase, indexes, words, find), target })
    yield
  }
  const dimension = compared.find(({ meaning }) => meaning)?.meaning?.length ?? 0
  const linear = yield* trainLinear(compared, words.vocabulary.length, dimension, classes.length)
  const some = someOf(compared, classes.length)
  const kernel = yield* trainKernel(some, {
    classes: classes.length,
    features: words.vocabulary.length,
    length: VECTOR_LENGTH,
  })
  return {
    classes,
    ...words,
    ...linear,
    usesMeaning: find !== null,
    kernel,
    kernelShare: some.length / compared.length,
  }
}

/** Trains without pauses. */
export function trainIntents(intents: readonly IntentExamples[], find: FindMeaning | null): IntentModel {
  const training = trainIntentsInSteps(intents, find)
  for (;;) {
    const step = training.next()
    if (step.done) return step.value
  }
}

/** A text as both parts of a model compare it. @param indexes the places of the vocabulary */
export const comparedOf = (
  text: string,
  indexes: ReadonlyMap<string, number>,
  { rarity, unseen }: Pick<IntentModel, 'rarity' | 'unseen'>,
  find: FindMeaning | null,
): Compared => ({
  vector: vectorOf(text, (key) => indexes.get(key), rarity, unseen),
  meaning: find && meaningOf(text, find),
})

/** A text's features with the numbers of its meaning as further ones. */
function joined({ vector, meaning }: Compared, features: number): Compared['vector'] {
  if (!meaning) return vector
  const further = Array.from(meaning, (value, at) => ({ index: features + at, value: MEANING * value }))
  return [...vector, ...further]
}

/** As many phrases as the kernel takes, evenly of all classes. */
function someOf<One extends { target: number }>(phrases: readonly One[], classes: number): readonly One[] {
  if (phrases.length <= MOST_COMPARED) return phrases
  const most = Math.max(1, Math.floor(MOST_COMPARED / classes))
  const counts = new Uint32Array(classes)
  for (const { target } of phrases) counts[target] = (counts[target] as number) + 1
  const seen = new Uint32Array(classes)
  return phrases.filter(({ target }) => {
    const count = counts[target] as number
    const at = seen[target] as number
    seen[target] = at + 1
    return count <= most || Math.floor((at * most) / count) !== Math.floor(((at - 1) * most) / count)
  })
}

function* trainLinear(
  examples: readonly (Compared & { target: number })[],
  features: number,
  dimension: number,
  classes: number,
): Generator<void, Pick<IntentModel, 'weights' | 'bias'>> {
  const model = { weights: new Float32Array((features + dimension) * classes), bias: new Float32Array(classes) }
  const draw = createDraw()
  const order = examples.map((_, index) => index)
  const vectors = examples.map((example) => joined(example, features))
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

/** Turns raw scores into probabilities, in place. */
export function softmax(scores: Float64Array): void {
  const most = scores.reduce((largest, score) => Math.max(largest, score), Number.NEGATIVE_INFINITY)
  let sum = 0
  for (let at = 0; at < scores.length; at++) sum += scores[at] = Math.exp((scores[at] ?? 0) - most)
  for (let at = 0; at < scores.length; at++) scores[at] = (scores[at] ?? 0) / sum
}

/** The raw score of each class by features and meaning. */
export const linearScores = (model: IntentModel, text: Compared): Float64Array =>
  scoresOf(model, joined(text, model.vocabulary.length))

function scoresOf({ weights, bias }: Pick<IntentModel, 'weights' | 'bias'>, vector: Compared['vector']): Float64Array {
  const scores = Float64Array.from(bias)
  const count = scores.length
  for (const { index, value } of vector) {
    const row = index * count
    for (let at = 0; at < count; at++) scores[at] = (scores[at] ?? 0) + (weights[row + at] ?? 0) * value
  }
  return scores
}

/** One gradient step of the log loss of one phrase. */
function step(
  model: Pick<IntentModel, 'weights' | 'bias'>,
  vector: Compared['vector'],
  target: number,
  rate: number,
): void {
  const { weights, bias } = model
  const errors = scoresOf(model, vector)
  softmax(errors)
  errors[target] = (errors[target] ?? 0) - 1
  const count = errors.length
  const wrong: number[] = []
  for (let at = 0; at < count; at++) if (Math.abs(errors[at] ?? 0) > SLIGHT) wrong.push(at)
  for (const at of wrong) bias[at] = (bias[at] ?? 0) - 0.01 * rate * (errors[at] ?? 0)
  for (const { index, value } of vector) {
    const row = index * count
    for (const at of wrong) {
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
