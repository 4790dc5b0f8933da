import { plainCase } from './fold'
import { segmentsOf } from './segments'

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}\u200c\u200d]*/gu
/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]/u
const RUNS = new RegExp(`${UNSPACED.source.slice(0, -1)}\\p{M}]+|[^${UNSPACED.source.slice(1, -1)}]+`, 'gu')
/** Its dictionaries go by the script, whichever language it is told. */
const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** The words of a text in their order, in lower case. Stop words are words, and nothing is cut off them. */
export function wordsOf(text: string): string[] {
  const plain = plainCase(text)
  const words = plain.match(WORD) ?? []
  return UNSPACED.test(plain) ? words.flatMap(segmented) : words
}

/** A text that has no spaces may stand beside letters that have: 「USBポート」. */
function segmented(word: string): string[] {
  if (!UNSPACED.test(word)) return [word]
  return (word.match(RUNS) ?? []).flatMap((run) =>
    UNSPACED.test(run)
      ? Array.from(segmentsOf(segmenter, run)).flatMap(({ segment, isWordLike }) => (isWordLike ? segment : []))
      : [run],
  )
}
