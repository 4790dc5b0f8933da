/** What shows that a line of the specification holds: each part of a row can fail. */
export type Proof =
  | { by: 'test'; file: string; title: string }
  | { by: 'route'; path: string }
  | { by: 'text'; key: string; text: string }
  | { by: 'source'; file: string; words: string }
  | { by: 'value'; read: () => unknown; wanted: unknown }
  /** what of it is missing */
  | { by: 'open'; missing: string }
  /** it wants nothing: a heading, or a line that says what the specification does not say */
  | { by: 'nothing'; why: string }

export interface Row {
  /** of its lines (specification.test.ts): the specification's own words are not in this repository */
  prints: readonly string[]
  /** in our own words */
  what: string
  shown: readonly [Proof, ...Proof[]]
}

/** Lines of the specification that are shown by the same things. @param prints fingerprints, separated by spaces */
export const row = (prints: string, what: string, ...shown: [Proof, ...Proof[]]): Row => ({
  prints: prints.split(' '),
  what,
  shown,
})

/** A test with that title, or the beginning of one, drives it. */
export const inTest = (file: string, title: string): Proof => ({ by: 'test', file, title })
/** The router has the address. */
export const atRoute = (path: string): Proof => ({ by: 'route', path })
/** The interface says it in these words. @param key namespace and key */
export const asText = (key: string, text: string): Proof => ({ by: 'text', key, text })
/** The program has it: for what no test reads, such as widths in style sheets. */
export const inSource = (file: string, words: string): Proof => ({ by: 'source', file, words })
/** A constant or a rule gives what is wanted. */
export const equals = (read: () => unknown, wanted: unknown): Proof => ({ by: 'value', read, wanted })
export const nothing = (why: string): Proof => ({ by: 'nothing', why })
