import { segmentsOf } from '../retrieval/segments'

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
/** A number that a period makes an ordinal, where German says so: its nouns are written as beginnings of sentences are. */
const ORDINAL = /(?<!\p{L})(?:am|vom|zum|beim|im|ins|ab|bis|und|de[mnrs]|die|das|frühen|späten)\s\p{N}{1,2}\.\s*$/iu
/** What a sentence that begins with a number follows: the segmenter takes it for a shortened word. */
const BEFORE_NUMBER = /(?<=\p{Ll}{5}[.!?]["”»)]?)\s+(?=\p{N})/gu
const LONGEST = 600
/** Characters of which sentences are made at once: passages are shorter, what an FAQ entry answers may be longer. */
const WINDOW = 2_400
/** Signs at the end of a piece that tell: more than any of these have. */
const ENDING = 24

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

/** Whether a sentence goes on after its period. */
const goesOn = (ending: string): boolean => SHORTENED.test(ending) || ORDINAL.test(ending)

/** Where sentences may end. */
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
