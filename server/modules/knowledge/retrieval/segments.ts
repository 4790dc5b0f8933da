/** A piece of a text, with its place in it. */
interface Piece {
  segment: string
  index: number
  isWordLike?: boolean
}

/** Characters that are segmented at once: what the runtime makes for each segment holds a copy of all of them. */
export const WINDOW = 400
/** What a segment near the end of a window is depends on what follows: it is looked at again in the next one. */
const MARGIN = 32

/**
 * The segments of a text, one after the other and in time that grows with its length: the text is segmented in windows, each of which begins
 * where a segment of the one before ends.
 * @param window more where segments may be longer
 */
export function* segmentsOf(segmenter: Intl.Segmenter, text: string, window = WINDOW): Generator<Piece> {
  const margin = Math.max(MARGIN, Math.floor(window / 4))
  for (let from = 0; from < text.length; ) {
    const isLast = from + window >= text.length
    const part = text.slice(from, isLast ? undefined : endOf(text, from + window))
    let kept = 0
    for (const { segment, index, isWordLike } of segmenter.segment(part)) {
      const end = index + segment.length
      // of what is one segment as far as can be seen, the window is one
      if (!isLast && end > part.length - margin && kept > 0) break
      yield { segment, index: from + index, isWordLike }
      kept = end
    }
    from += kept
  }
}

/** Not within a pair of surrogates. */
const endOf = (text: string, at: number): number => at + (/[\ud800-\udbff]/.test(text.charAt(at - 1)) ? 1 : 0)
