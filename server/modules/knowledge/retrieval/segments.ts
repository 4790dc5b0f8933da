/** A piece of a text with its position. */
interface Piece {
  segment: string
  index: number
  isWordLike?: boolean
}

/** Characters segmented at once: each segment object holds a copy of all of them. */
export const WINDOW = 400
/** Segments near the end of a window depend on what follows: they are determined by the next window. */
const MARGIN = 32

/**
 * The segments of a text in linear time: it is segmented in windows, each starting at the end of a segment of the
 * previous one.
 * @param window larger if segments may be longer
 */
export function* segmentsOf(segmenter: Intl.Segmenter, text: string, window = WINDOW): Generator<Piece> {
  const margin = Math.max(MARGIN, Math.floor(window / 4))
  for (let from = 0; from < text.length; ) {
    const isLast = from + window >= text.length
    const part = text.slice(from, isLast ? undefined : endOf(text, from + window))
    let kept = 0
    for (const { segment, index, isWordLike } of segmenter.segment(part)) {
      const end = index + segment.length
      // if the window has no boundary, it is one segment
      if (!isLast && end > part.length - margin && kept > 0) break
      yield { segment, index: from + index, isWordLike }
      kept = end
    }
    from += kept
  }
}

/** Not within a surrogate pair. */
const endOf = (text: string, at: number): number => at + (/[\ud800-\udbff]/.test(text.charAt(at - 1)) ? 1 : 0)
