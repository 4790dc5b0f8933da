/** How a text names people: `<@gid>` stands where a name is read. */
const MENTION = /<@([a-z0-9]{16})>/g

/** A part of a text: words, or somebody's gid. */
export type MentionPart = { text: string } | { gid: string }

/** The gids of those whom a text names, each once, in their order. */
export const mentionsIn = (body: string): string[] => [
  ...new Set(Array.from(body.matchAll(MENTION), ([, gid = '']) => gid)),
]

/** A text as words and people, in their order; no part is an empty text. */
export function mentionParts(body: string): MentionPart[] {
  const parts: MentionPart[] = []
  let from = 0
  for (const match of body.matchAll(MENTION)) {
    if (match.index > from) parts.push({ text: body.slice(from, match.index) })
    parts.push({ gid: match[1] ?? '' })
    from = match.index + match[0].length
  }
  if (from < body.length) parts.push({ text: body.slice(from) })
  return parts
}

/** As one reads it: `@name` for each of them. */
export const readMentions = (body: string, nameOf: (gid: string) => string): string =>
  body.replace(MENTION, (_, gid: string) => `@${nameOf(gid)}`)

/**
 * The other way round: each `@name` of somebody listed becomes a mention, the longest name that fits first. A name inside a longer
 * word is none, nor is one behind a letter, as in an address.
 */
export function writeMentions(text: string, people: readonly { gid: string; name: string }[]): string {
  const longest = people.filter(({ name }) => name !== '').sort((a, b) => b.name.length - a.name.length)
  let written = ''
  for (let at = 0; at < text.length; ) {
    const person = text[at] === '@' && !isWord(text[at - 1]) && longest.find(({ name }) => standsAt(text, at + 1, name))
    written += person ? `<@${person.gid}>` : text[at]
    at += person ? person.name.length + 1 : 1
  }
  return written
}

const standsAt = (text: string, at: number, name: string): boolean =>
  text.startsWith(name, at) && !isWord(text[at + name.length])

const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}_]/u.test(character)
