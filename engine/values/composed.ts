/** More marks on one letter no writing has (Unicode's Stream-Safe Text Format, UAX 15). Sorting n of them takes n x n steps. */
const TOO_MANY_MARKS = /\p{M}{31}/u

/** The text in a normal form; one with letters under heaps of marks stays as it is. */
export const composed = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
  TOO_MANY_MARKS.test(text) ? text : text.normalize(form)
