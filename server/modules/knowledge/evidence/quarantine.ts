import { isPlanted } from './planted'

interface Text {
  heading: string
  body: string
}

/** Planted texts of a source that are kept for its owner to see; further ones stay out all the same. */
const MOST = 20

/** What of a source's passages speaks to assistants: blocks, and lines of headings, each once. */
export function plantedIn(passages: Iterable<Text>): string[] {
  const found = new Set<string>()
  for (const { heading, body } of passages)
    for (const text of [...linesOf(heading), ...blocksOf(body)]) {
      if (found.size === MOST) return [...found]
      if (isPlanted(text)) found.add(text.trim())
    }
  return [...found]
}

/**
 * What of a passage may be said or given to a model: its text without planted blocks, '' if its heading is one.
 * @param allowed planted texts that a member has allowed
 */
export function outOfQuarantine({ heading, body }: Text, allowed: readonly string[]): string {
  const isHeld = (text: string) => isPlanted(text) && !allowed.includes(text.trim())
  if (linesOf(heading).some(isHeld)) return ''
  const blocks = blocksOf(body)
  const kept = blocks.filter((block) => !isHeld(block))
  return kept.length === blocks.length ? body : kept.join('\n\n')
}

/** An entry's ways to ask stand below each other. */
const linesOf = (heading: string): string[] => heading.split('\n')
const blocksOf = (body: string): string[] => body.split('\n\n')
