import { segmentsOf } from '../retrieval/segments'

/** A sentence of a passage. */
export interface Sentence {
  text: string
  /** its start in the passage */
  start: number
}

const segmenter = new Intl.Segmenter('und', { granularity: 'sentence' })
/** Markdown syntax at the start of a line: headings, list markers, quotes. */
const LINE_MARK = /^\s*(?:#{1,6}\s+|[-*+]\s+|\d{1,3}[.)]\s+|>\s?)+/
/** A line without words: rules, a table's delimiter row, images. */
const NO_WORDS = /^[^\p{L}\p{N}]*$|^\s*!\[[^\]]*\]\([^)]*\)\s*$/u
/** Abbreviations whose period ends no sentence: single letters, titles. */
const SHORTENED =
  /(?:^|[\s(])(?:\p{Lu}|Dr|Mr|Mrs|Ms|St|Prof|No|Nr|vs|etc|approx|ca|bzw|z\. ?B|d\. ?h|e\.g|i\.e|Sr|Sra|Inc|Ltd|Jr)\.\s*$/u
/** A German ordinal number: its period ends no sentence, although the next word is capitalised, as all nouns are. */
const ORDINAL = /(?<!\p{L})(?:am|vom|zum|beim|im|ins|ab|bis|und|de[mnrs]|die|das|frühen|späten)\s\p{N}{1,2}\.\s*$/iu
/** The end of a sentence before a number, which the segmenter takes for an abbreviation. */
const BEFORE_NUMBER = /(?<=\p{Ll}{5}[.!?]["”»)]?)\s+(?=\p{N})/gu
const LONGEST = 600
/** Characters segmented at once: passages are shorter, an FAQ entry's answer may be longer. */
const WINDOW = 2_400
/** Characters at the end of a piece that are examined: longer than any abbreviation. */
const ENDING = 24

/** The sentences of a Markdown text in order. A list or table line is one sentence. */
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
  for (const end of endsOf(line)) {
    const piece = line.slice(start, end)
    if (goesOn(piece.slice(-ENDING)) && end < line.length && piece.length < LONGEST) continue
    if (!NO_WORDS.test(piece)) found.push(trimmed(piece, offset + start))
    start = end
  }
  const rest = line.slice(start)
  if (rest.trim() !== '' && !NO_WORDS.test(rest)) found.push(trimmed(rest, offset + start))
  return found
}

/** Whether a sentence continues after its period. */
const goesOn = (ending: string): boolean => SHORTENED.test(ending) || ORDINAL.test(ending)

/** Possible ends of sentences. */
function* endsOf(line: string): Generator<number> {
  for (const { segment, index } of segmentsOf(segmenter, line, WINDOW)) {
    for (const { index: at } of segment.matchAll(BEFORE_NUMBER)) yield index + at
    yield index + segment.length
  }
}

const trimmed = (text: string, start: number): Sentence => ({
  text: text.trim(),
  start: start + text.length - text.trimStart().length,
})
