/** Whether an address holds one of these parts; `*` stands for anything. */
export function isHiddenOn(address: string, parts: readonly string[]): boolean {
  for (let n = 0; n < parts.length; n++) {
    const pieces = (parts[n] ?? '').split('*')
    let at = 0
    for (let p = 0; p < pieces.length && at >= 0; p++) {
      const piece = pieces[p] ?? ''
      const found = address.indexOf(piece, at)
      at = found < 0 ? -1 : found + piece.length
    }
    if (at >= 0) return true
  }
  return false
}
