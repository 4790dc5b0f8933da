/** A trigger that a link opens, and the text that the link writes for the visitor. */
export interface LinkText {
  readonly blockId: string
  readonly text: string
}

/** Characters of a message that can be a link's text, with what the visitor adds. */
const LOOKED_AT = 1_000

/**
 * Finds the trigger whose link a message was opened by: the message is the link's text, or begins with it. The case
 * does not matter, nor how many spaces there are. Of several the longest text counts, then the first.
 */
export function createOpenedBy(texts: readonly LinkText[]): (message: string) => string | null {
  const known = texts
    .map(({ blockId, text }) => ({ blockId, words: wordsOf(text) }))
    .filter(({ words }) => words !== '')
    .sort((one, two) => two.words.length - one.words.length)
  if (known.length === 0) return () => null
  return (message) => {
    const words = wordsOf(message.slice(0, LOOKED_AT))
    const found = known.find(
      (link) => words.startsWith(link.words) && !IN_WORD.test(words.slice(link.words.length, link.words.length + 2)),
    )
    return found?.blockId ?? null
  }
}

/** What goes on with the last word rather than after it. */
const IN_WORD = /^[\p{L}\p{N}\p{M}]/u

const wordsOf = (text: string): string => text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
