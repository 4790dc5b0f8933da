/** A sentence of a passage, as it stands there. */
export interface Sentence {
  text: string
  /** where it begins in the passage */
  start: number
}

const segmenter = new Intl.Segmenter('und', { granularity: 'sentence' })
/** What of Markdown stands before a line's words: headings, points of lists, quotes. */
const LINE_MARK = /^\s*(?:#{1,6}\s+|[-*+]\s+|\d{1,3}[.)]\s+|>\s?)+/
/** A line that says nothing: rules, the one below a table's head, pictures. */
const NO_WORDS = /^[^\p{L}\p{N}]*$|^\s*!\[[^\]]*\]\([^)]*\)\s*$/u
/** A period after these ends no sentence: one letter, or a title. */
const SHORTENED =
  /(?:^|[\s(])(?:\p{Lu}|Dr|Mr|Mrs|Ms|St|Prof|No|Nr|vs|etc|approx|ca|bzw|z\. ?B|d\. ?h|e\.g|i\.e|Sr|Sra|Inc|Ltd|Jr)\.\s*$/u
const LONGEST = 600

/** The sentences of a Markdown text, in their order. A line of a list or of a table is one. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = []
  let offset = 0
  for (const line of text.split('\n')) {
    const mark = LINE_MARK.exec(line)?.[0].length ?? 0
    if (!NO_WORDS.test(line)) sentences.push(...inLine(line.slice(mark), offset + mark))
    offset += line.length + 1
  }
  return sentences
}

function inLine(line: string, offset: number): Sentence[] {
  if (line.trimStart().startsWith('|')) return [trimmed(line, offset)]
  const found: Sentence[] = []
  let start = 0
  for (const { segment, index } of segmenter.segment(line)) {
    const end = index + segment.length
    const piece = line.slice(start, end)
    if (SHORTENED.test(piece) && end < line.length && piece.length < LONGEST) continue
    if (!NO_WORDS.test(piece)) found.push(trimmed(piece, offset + start))
    start = end
  }
  const rest = line.slice(start)
  if (rest.trim() !== '' && !NO_WORDS.test(rest)) found.push(trimmed(rest, offset + start))
  return found
}

const trimmed = (text: string, start: number): Sentence => ({
  text: text.trim(),
  start: start + text.length - text.trimStart().length,
})
