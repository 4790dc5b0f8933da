const CJK = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/
const HYPHEN = /^[-\u00ad]$/
const LETTER = /\p{L}/u
const SMALL = /^\p{Ll}/u

/**
 * Lines of a text as one: a word that was parted is put together, Chinese and Japanese have no space between. Each line
 * is looked at once, however long the text becomes.
 */
export function joinLines(lines: readonly string[]): string {
  const parts: string[] = []
  for (const line of lines) {
    const before = parts.at(-1)
    if (before === undefined) parts.push(line)
    else if (HYPHEN.test(before.at(-1) ?? '') && LETTER.test(before.at(-2) ?? '') && SMALL.test(line))
      parts.splice(-1, 1, before.slice(0, -1), line)
    else if (CJK.test(before.at(-1) ?? '') && CJK.test(line[0] ?? '')) parts.push(line)
    else parts.push(' ', line)
  }
  return parts.join('')
}
