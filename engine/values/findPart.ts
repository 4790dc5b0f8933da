/** Up to this length JavaScript's own search is linear in the text. */
const SHORT = 200

/** `text.indexOf(part, from)` in linear time; JavaScript's own is quadratic if both are long. */
export function findPart(text: string, part: string, from = 0): number {
  if (part.length <= SHORT || text.length - from < part.length) return text.indexOf(part, from)
  const borders = bordersOf(part)
  let matched = 0
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    while (matched > 0 && part.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0
    if (part.charCodeAt(matched) === code) matched++
    if (matched === part.length) return at - matched + 1
  }
  return -1
}

/** `text.split(separator)`, in linear time. */
export function splitAt(text: string, separator: string): string[] {
  if (separator.length <= SHORT) return text.split(separator)
  const pieces: string[] = []
  let from = 0
  for (let at = findPart(text, separator); at >= 0; at = findPart(text, separator, from)) {
    pieces.push(text.slice(from, at))
    from = at + separator.length
  }
  pieces.push(text.slice(from))
  return pieces
}

/** The failure function of Knuth, Morris and Pratt: for each prefix, the length of its longest proper border. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length)
  let length = 0
  for (let at = 1; at < part.length; at++) {
    while (length > 0 && part.charCodeAt(at) !== part.charCodeAt(length)) length = borders[length - 1] ?? 0
    if (part.charCodeAt(at) === part.charCodeAt(length)) length++
    borders[at] = length
  }
  return borders
}
