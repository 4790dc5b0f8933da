/**
 * A text without the characters at its end that are among `characters`. A pattern such as `[.,]+$` would take time by the square of the text's
 * length, since it is tried again at every place of a run that ends before the text does.
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
