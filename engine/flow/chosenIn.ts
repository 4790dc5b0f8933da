import type { Reply } from './conversation'

interface Option {
  id: string
  label: string
}

/**
 * The options that a reply chooses, in their order, or the one whose label was typed (ignoring case); none if several
 * are given where one is allowed.
 */
export function chosenIn<Of extends Option>(options: readonly Of[], reply: Reply, multiple: boolean): Of[] {
  if (reply.type === 'choice') {
    const chosen = options.filter(({ id }) => reply.optionIds.includes(id))
    return multiple || chosen.length === 1 ? chosen : []
  }
  const typed = reply.type === 'text' ? reply.text.trim().toLowerCase() : ''
  return options.filter(({ label }) => typed !== '' && label.trim().toLowerCase() === typed).slice(0, 1)
}
