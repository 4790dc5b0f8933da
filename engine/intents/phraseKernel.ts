/** A text as the kernel compares it. */
export interface Compared {
  /** its features in the vocabulary */
  vector: readonly { index: number; value: number }[]
  /** its direction, of length 1; null: none of its words has one */
  meaning: Float32Array | null
}

/** Phrases with what each says for each class, as plain data. */
export interface PhraseKernel {
  /** by feature: where its phrases start in `phrases` and `values`, plus the end of the last one */
  starts: Uint32Array
  phrases: Uint16Array
  values: Float32Array
  /** of each phrase; zeros: it has none */
  meanings: Float32Array
  hasMeaning: Uint8Array
  /** the class of each phrase */
  targets: Uint16Array
  /** a number a phrase and class */
  weights: Float32Array
  /** of each class: how like its phrases are to each other, 0 to 1 */
  usual: Float32Array
}

/** What the phrases say of a text, a number for each class. */
export interface Spoken {
  /** 1: as a phrase of it; 0: nothing speaks for it */
  scores: Float64Array
  /** the likeness of its nearest phrase, 0 to 1 */
  nearest: Float64Array
}

/** More phrases are compared to no more than so many: solving takes the third power of their number. */
export const MOST_COMPARED = 1_500
/** Ridge: how much of a phrase's own class is left to its neighbours. */
const RIDGE = 0.3
/** Classes of few phrases take the likeness of all classes, as if they had so many more phrases of it. */
const COMMON = 3

/**
 * Kernel ridge regression on phrases: solves (K + ridge) weights = classes, where K has the squared likeness of each
 * two phrases. Squared, so that words count together. Yields after each row.
 * @param length the length of all vectors, at most
 */
export function* trainKernel(
  phrases: readonly (Compared & { target: number })[],
  { classes, features, length }: { classes: number; features: number; length: number },
): Generator<void, PhraseKernel> {
  const kernel = collect(phrases, { classes, features, length })
  const size = phrases.length
  const rows: Float64Array[] = []
  const siblings: number[][] = Array.from({ length: classes }, () => [])
  for (const [at, phrase] of phrases.entries()) {
    const likeness = likenessOf(kernel, phrase)
    let nearest = 0
    for (let other = 0; other < size; other++)
      if (other !== at && kernel.targets[other] === phrase.target)
        nearest = Math.max(nearest, likeness[other] as number)
    siblings[phrase.target]?.push(nearest)
    rows.push(likeness.map((value, other) => value * value + (other === at ? RIDGE : 0)))
    yield
  }
  kernel.usual = usualOf(siblings)
  yield* factorise(rows)
  const solved = phrases.map(({ target }) => {
    const row = new Float64Array(classes)
    row[target] = 1
    return row
  })
  for (let at = 0; at < size; at++) {
    const row = solved[at] as Float64Array
    const factors = rows[at] as Float64Array
    for (let before = 0; before < at; before++) subtract(row, solved[before] as Float64Array, factors[before] as number)
    scale(row, 1 / (factors[at] as number))
    yield
  }
  for (let at = size - 1; at >= 0; at--) {
    const row = solved[at] as Float64Array
    scale(row, 1 / ((rows[at] as Float64Array)[at] as number))
    const factors = rows[at] as Float64Array
    for (let before = 0; before < at; before++) subtract(solved[before] as Float64Array, row, factors[before] as number)
    yield
  }
  for (const [at, row] of solved.entries()) kernel.weights.set(row, at * classes)
  return kernel
}

/** What a kernel's phrases say of a text. */
export function speakFor(kernel: PhraseKernel, text: Compared): Spoken {
  const { targets, weights, usual } = kernel
  const classes = usual.length
  const scores = new Float64Array(classes)
  const nearest = new Float64Array(classes)
  for (const [at, value] of likenessOf(kernel, text).entries()) {
    if (value <= 0) continue
    const target = targets[at] as number
    if (value > (nearest[target] as number)) nearest[target] = value
    const square = value * value
    const row = at * classes
    for (let of = 0; of < classes; of++) scores[of] = (scores[of] as number) + square * (weights[row + of] as number)
  }
  return { scores, nearest }
}

/**
 * How like a text is to each phrase, 0 to 1: half by features and half by direction; by features alone where one of
 * both has no direction.
 */
function likenessOf(kernel: PhraseKernel, { vector, meaning }: Compared): Float64Array {
  const { starts, phrases, values, meanings, hasMeaning, targets } = kernel
  const likeness = new Float64Array(targets.length)
  for (const { index, value } of vector) {
    const end = starts[index + 1] as number
    for (let at = starts[index] as number; at < end; at++) {
      const phrase = phrases[at] as number
      likeness[phrase] = (likeness[phrase] as number) + value * (values[at] as number)
    }
  }
  if (!meaning) return likeness
  for (let phrase = 0; phrase < likeness.length; phrase++) {
    if (!hasMeaning[phrase]) continue
    const from = phrase * meaning.length
    let cosine = 0
    for (let at = 0; at < meaning.length; at++) cosine += (meaning[at] as number) * (meanings[from + at] as number)
    likeness[phrase] = ((likeness[phrase] as number) + Math.max(0, cosine)) / 2
  }
  return likeness
}

/** The phrases by feature. */
function collect(
  phrases: readonly (Compared & { target: number })[],
  { classes, features, length }: { classes: number; features: number; length: number },
): PhraseKernel {
  const dimension = phrases.find(({ meaning }) => meaning)?.meaning?.length ?? 0
  const starts = new Uint32Array(features + 1)
  for (const { vector } of phrases)
    for (const { index } of vector) starts[index + 1] = (starts[index + 1] as number) + 1
  for (let at = 0; at < features; at++) starts[at + 1] = (starts[at + 1] as number) + (starts[at] as number)
  const ends = starts.slice()
  const total = starts[features] as number
  const kernel: PhraseKernel = {
    starts,
    phrases: new Uint16Array(total),
    values: new Float32Array(total),
    meanings: new Float32Array(phrases.length * dimension),
    hasMeaning: new Uint8Array(phrases.length),
    targets: Uint16Array.from(phrases, ({ target }) => target),
    weights: new Float32Array(phrases.length * classes),
    usual: new Float32Array(classes),
  }
  for (const [phrase, { vector, meaning }] of phrases.entries()) {
    for (const { index, value } of vector) {
      const place = ends[index] as number
      ends[index] = place + 1
      kernel.phrases[place] = phrase
      // the text that is compared has the other factor of the product, and the same length
      kernel.values[place] = value / length ** 2
    }
    if (!meaning) continue
    kernel.meanings.set(meaning, phrase * dimension)
    kernel.hasMeaning[phrase] = 1
  }
  return kernel
}

/** The mean likeness of nearest siblings, drawn to the median of all. */
function usualOf(siblings: readonly number[][]): Float32Array {
  const all = siblings.flat().sort((a, b) => a - b)
  const middle = all[Math.floor(all.length / 2)] ?? 0
  return Float32Array.from(siblings, (own) => {
    const sum = own.reduce((total, value) => total + value, COMMON * middle)
    return sum / (own.length + COMMON)
  })
}

/** Least pivot: likeness by features alone, beside that by both, may make the matrix slightly indefinite. */
const LEAST = 0.01

/** Cholesky factors in place, in the lower triangle. */
function* factorise(rows: Float64Array[]): Generator<void, void> {
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as Float64Array
    for (let column = 0; column <= at; column++) {
      const other = rows[column] as Float64Array
      let sum = row[column] as number
      for (let of = 0; of < column; of++) sum -= (row[of] as number) * (other[of] as number)
      row[column] = column === at ? Math.sqrt(Math.max(sum, LEAST)) : sum / (other[column] as number)
    }
    yield
  }
}

function subtract(row: Float64Array, other: Float64Array, factor: number): void {
  if (factor === 0) return
  for (let at = 0; at < row.length; at++) row[at] = (row[at] as number) - factor * (other[at] as number)
}

function scale(row: Float64Array, factor: number): void {
  for (let at = 0; at < row.length; at++) row[at] = (row[at] as number) * factor
}
