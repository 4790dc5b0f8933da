/**
 * Which options a visitor's words name, by their places: a choice is kept as the labels that were chosen, in their
 * order and with commas between them. Empty if the words are something else, such as an answer that was typed.
 */
export function chosenOf(
  options: readonly { label: string }[],
  said: string | null,
  multiple: boolean,
): ReadonlySet<number> {
  if (said === null || said === '') return new Set()
  if (!multiple) {
    const at = options.findIndex(({ label }) => label === said)
    return new Set(at < 0 ? [] : [at])
  }
  const chosen = new Set<number>()
  let rest = said
  for (const [at, { label }] of options.entries()) {
    if (label === '' || (rest !== label && !rest.startsWith(`${label}, `))) continue
    chosen.add(at)
    rest = rest.slice(label.length + 2)
  }
  return rest === '' ? chosen : new Set()
}
