/**
 * Strips characters from a text's end. A pattern such as `[.,]+$` would be quadratic in the text's length, since it is
 * tried at every position of a run that does not reach the end.
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
