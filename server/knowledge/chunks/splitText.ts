const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

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
  if (text.length <= most) return [text]
  const whole = [...sentences.segment(text)].map(({ segment }) => segment)
  return packAsTheyAre(
    whole.flatMap((sentence) => splitSentence(sentence, most)),
    most,
  )
}

function splitSentence(sentence: string, most: number): string[] {
  if (sentence.length <= most) return [sentence]
  const words = sentence.split(/(?<=\s)(?=\S)/)
  return packAsTheyAre(
    words.flatMap((word) => (word.length <= most ? [word] : splitWord(word, most))),
    most,
  )
}

function splitWord(word: string, most: number): string[] {
  const parts: string[] = []
  let part = ''
  for (const { segment } of graphemes.segment(word)) {
    if (part.length + segment.length > most && part !== '') {
      parts.push(part)
      part = ''
    }
    // a letter under a thousand accents is none
    part += segment.slice(0, most)
  }
  return part ? [...parts, part] : parts
}

/** The pieces have their spaces with them. */
const packAsTheyAre = (pieces: readonly string[], most: number): string[] =>
  pack(pieces, most, '')
    .map((text) => text.trim())
    .filter(Boolean)
