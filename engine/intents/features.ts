import { normalText } from '../values/normalText'

/** The groups of features, with each group's weight. */
const groupWeights = { word: 1, stem: 1, pair: 0.7, piece: 0.6 } as const

type Group = keyof typeof groupWeights
/** The length of the vector of a text whose features are all known. */
export const VECTOR_LENGTH = Math.hypot(...Object.values(groupWeights))

/** A feature of a text and its damped frequency. */
export interface Feature {
  key: string
  group: Group
  count: number
}

/** The most characters and words that are read; visitors send at most 20,000 characters (SPEC.md 9). */
const MOST_CHARACTERS = 6_000
const MOST_WORDS = 400
const MOST_LETTERS = 40

/**
 * The features of a text: words, stems, bigrams of stems (with the text's ends), and character n-grams of 3 to 5
 * characters of each word, which tolerate typing errors and inflection. In scripts without spaces the n-grams have 1
 * to
 * 3 characters.
 */
export function featuresOf(text: string): Feature[] {
  const written = tokenize(text)
  const words = written.flatMap(shortWords)
  const stems = words.map(stemOf)
  const counts = new Map<string, Feature>()
  const add = (group: Group, part: string) => {
    const key = `${group[0]}${group[1]}${part}`
    const present = counts.get(key)
    if (present) present.count += 1
    else counts.set(key, { key, group, count: 1 })
  }
  for (const word of words) add('word', word)
  for (const stem of stems) add('stem', stem)
  for (let n = 0; n <= stems.length && stems.length > 0; n++) add('pair', `${stems[n - 1] ?? '^'} ${stems[n] ?? '$'}`)
  for (const word of written) for (const piece of piecesOf(word)) add('piece', piece)
  return [...counts.values()].map((feature) => ({ ...feature, count: 1 + Math.log(feature.count) }))
}

/**
 * A text as a vector over a vocabulary. Each group of features has a fixed length (its weight), including unknown
 * features, so that a text of unknown words is far from everything.
 * @param indexOf a feature's index in the vocabulary
 * @param rarity inverse document frequencies; `unseen` is that of features outside the vocabulary
 */
export function vectorOf(
  text: string,
  indexOf: (key: string) => number | undefined,
  rarity: ArrayLike<number>,
  unseen: number,
): { index: number; value: number }[] {
  const squares = { word: 0, stem: 0, pair: 0, piece: 0 }
  const known: { index: number; value: number; group: Group }[] = []
  for (const { key, group, count } of featuresOf(text)) {
    const index = indexOf(key)
    const value = count * (index === undefined ? unseen : (rarity[index] ?? unseen))
    squares[group] += value * value
    if (index !== undefined) known.push({ index, value, group })
  }
  return known.map(({ index, value, group }) => ({
    index,
    value: (groupWeights[group] * value) / Math.sqrt(squares[group]),
  }))
}

/** The word that a feature stands for; null: it stands for something else. */
export const wordIn = (key: string): string | null => (key.startsWith('wo') ? key.slice(2) : null)

/** The lower-case words of a text: letters, marks and digits. */
export const tokenize = (text: string): string[] =>
  (
    normalText(text.slice(0, MOST_CHARACTERS), 'NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  )
    .slice(0, MOST_WORDS)
    .map((word) => word.slice(0, MOST_LETTERS))

/** A word without common inflection endings of English and related languages; n-grams cover the others. */
export const stemOf = (word: string): string =>
  word.length > 4 ? word.replace(/(?:ations?|ements?|ings?|edly|ed|ies|es|ly|s|er|y|e)$/, '') || word : word

const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** A word; in scripts without spaces, its pairs of neighbouring letters, since a whole clause stands as one word. */
function shortWords(word: string): string[] {
  if (!WITHOUT_SPACES.test(word)) return [word]
  const letters = [...word]
  return letters.length < 3 ? [word] : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`)
}

function piecesOf(word: string): string[] {
  const [shortest, longest] = WITHOUT_SPACES.test(word) ? [1, 3] : [3, 5]
  const marked = [...`_${word}_`]
  const pieces: string[] = []
  for (let length = shortest; length <= longest; length++) {
    for (let at = 0; at + length <= marked.length; at++) pieces.push(marked.slice(at, at + length).join(''))
  }
  return pieces
}
