/** How a text mentions people: `<@gid>` is shown as a name. */
const MENTION = /<@([a-z0-9]{16})>/g

/** A part of a text: words, or a person's gid. */
export type MentionPart = { text: string } | { gid: string }

/** The gids mentioned in a text, in order, without duplicates. */
export const mentionsIn = (body: string): string[] => [
  ...new Set(Array.from(body.matchAll(MENTION), ([, gid = '']) => gid)),
]

/** A text as words and people, in order; no part is empty. */
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

/** The text for readers: `@name` for each mention. */
export const readMentions = (body: string, nameOf: (gid: string) => string): string =>
  body.replace(MENTION, (_, gid: string) => `@${nameOf(gid)}`)

/**
 * The inverse: each `@name` of a listed person becomes a mention, the longest matching name first. A name that is part
 * of a longer word, or follows a letter as in an e-mail address, is not a mention.
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
