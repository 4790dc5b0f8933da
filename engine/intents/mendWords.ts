import { tokenize } from './features'

/** Shorter words are not mended: too many are one letter away. */
const LEAST = 4
/** The most words of a text that are looked at. */
const MOST = 16

/**
 * Replaces mistyped words by words of the phrases: those that neither the phrases nor any language has, where one
 * letter
 * more, less, another or two swapped make one.
 * @param words of the phrases
 * @param isWord whether a language has a word
 */
export function createMend(words: Iterable<string>, isWord: (word: string) => boolean): (text: string) => string {
  const known = new Set(words)
  const byLength = new Map<number, string[]>()
  for (const word of known) byLength.set(word.length, [...(byLength.get(word.length) ?? []), word])
  return (text) => {
    let looked = 0
    const mended = tokenize(text).map((word) => {
      if (word.length < LEAST || known.has(word) || isWord(word) || ++looked > MOST) return word
      for (const length of [word.length, word.length + 1, word.length - 1]) {
        const found = byLength.get(length)?.find((other) => other.length >= LEAST && isOneOff(word, other))
        if (found) return found
      }
      return word
    })
    return mended.join(' ')
  }
}

/** Whether one letter more, less, another or two swapped make one word the other. */
function isOneOff(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  let same = 0
  while (same < short.length && short[same] === long[same]) same++
  if (short.length < long.length) return short.slice(same) === long.slice(same + 1)
  if (short.slice(same + 1) === long.slice(same + 1)) return true
  const swapped = short[same] === long[same + 1] && short[same + 1] === long[same]
  return swapped && short.slice(same + 2) === long.slice(same + 2)
}
