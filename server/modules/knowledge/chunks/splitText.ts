const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** A part of a piece that is filled at least, unless its text leaves no choice. */
const LEAST_FILLED = 0.3
/** Units of a letter with its accents, or of joined emojis. */
const LONGEST_LETTER = 64

/** Packs pieces together, in order, as long as they fit. No piece may be longer than `most`. */
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

/** Cuts a running text where it hurts least: between sentences, else between words, else anywhere but inside a letter. */
export function splitText(text: string, most: number): string[] {
  const pieces: string[] = []
  let at = 0
  while (at < text.length) {
    // a piece at a time: each segment of a text holds a copy of the whole
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
  // a letter under a thousand accents is none
  return letter > 0 ? window.length - tail.length + letter : window.length
}

/** Where the last segment begins: it may go on behind the window. */
const lastBoundary = (segmenter: Intl.Segmenter, text: string): number =>
  [...segmenter.segment(text)].at(-1)?.index ?? 0
