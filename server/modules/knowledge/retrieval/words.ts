import { plainCase } from './fold'
import { segmentsOf } from './segments'

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}\u200c\u200d]*/gu
/** Scripts without spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]/u
const RUNS = new RegExp(`${UNSPACED.source.slice(0, -1)}\\p{M}]+|[^${UNSPACED.source.slice(1, -1)}]+`, 'gu')
/** Its dictionaries depend on the script, not on the locale. */
const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** The words of a text in order, in lower case. Stop words are kept, nothing is stemmed. */
export function tokenize(text: string): string[] {
  const plain = plainCase(text)
  const words = plain.match(WORD) ?? []
  return UNSPACED.test(plain) ? words.flatMap(segmented) : words
}

/** Text without spaces may be mixed with Latin letters: 「USBポート」. */
function segmented(word: string): string[] {
  if (!UNSPACED.test(word)) return [word]
  return (word.match(RUNS) ?? []).flatMap((run) =>
    UNSPACED.test(run)
      ? Array.from(segmentsOf(segmenter, run)).flatMap(({ segment, isWordLike }) => (isWordLike ? segment : []))
      : [run],
  )
}
