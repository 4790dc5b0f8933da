const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The least share of a piece that is filled, if the text allows. */
const LEAST_FILLED = 0.3
/** The most UTF-16 units of a grapheme: a letter with accents, or joined emoji. */
const LONGEST_LETTER = 64

/** Joins consecutive pieces as long as they fit. No piece may be longer than `most`. */
export function pack(pieces: readonly string[], most: number, between: string): string[] {
  const packs: string[] = []
  for (const piece of pieces) {
    const last = packs.at(-1)
    if (last !== undefined && last.length + between.length + piece.length <= most) {
      packs[packs.length - 1] = last + between + piece
    } else packs.push(piece)
  }
  return packs
}

/**
 * Splits running text at the best places: between sentences, otherwise between words, otherwise anywhere but inside a
 * grapheme.
 */
export function splitText(text: string, most: number): string[] {
  const pieces: string[] = []
  let at = 0
  while (at < text.length) {
    // a window at a time: each segment object holds a copy of the whole input
    const window = text.slice(at, at + most)
    const length = at + most >= text.length ? window.length : placeToCut(window)
    const piece = window.slice(0, length).trim()
    if (piece !== '') pieces.push(piece)
    at += length
  }
  return pieces
}

/** Above 0, and at most the window's length. */
function placeToCut(window: string): number {
  const sentence = lastBoundary(sentences, window)
  if (sentence > window.length * LEAST_FILLED) return sentence
  const word = window.search(/\s\S*$/)
  if (word > window.length * LEAST_FILLED) return word
  const tail = window.slice(-LONGEST_LETTER)
  const letter = lastBoundary(graphemes, tail)
  // a letter with a thousand accents is not kept together
  return letter > 0 ? window.length - tail.length + letter : window.length
}

/** The start of the last segment, which may continue after the window. */
const lastBoundary = (segmenter: Intl.Segmenter, text: string): number =>
  [...segmenter.segment(text)].at(-1)?.index ?? 0
