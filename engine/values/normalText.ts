/** More marks on a letter than any language writes: Unicode's own limit for texts that are normalised as they come (UAX 15, 13). */
const MOST_MARKS = 30
const MARKS_TOO_MANY = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/**
 * A text in one of Unicode's normal forms, with at most 30 marks on a letter. Marks are put into an order of their own then, which for
 * thousands on one letter takes time by the square of their number.
 */
export const normalText = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
  (text.length > MOST_MARKS ? text.replace(MARKS_TOO_MANY, '$1') : text).normalize(form)
