/**
 * More combining marks per letter than any language uses: Unicode's own limit for stream normalisation (UAX 15, 13).
 */
const MOST_MARKS = 30
const MARKS_TOO_MANY = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/**
 * Normalises a text (Unicode), with at most 30 marks per letter: normalisation sorts marks, which is quadratic in their
 * number.
 */
export const normalText = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
  (text.length > MOST_MARKS ? text.replace(MARKS_TOO_MANY, '$1') : text).normalize(form)
