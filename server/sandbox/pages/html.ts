/** A text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

/** What may stand in a template: lists are joined, null and false are nothing, texts are escaped. */
export type Piece = Html | string | number | null | false | undefined | readonly Piece[]

/** Writes HTML: whatever is put in and is not HTML itself is escaped. */
export const html = (parts: TemplateStringsArray, ...pieces: Piece[]): Html =>
  new Html(parts.map((part, at) => part + (at < pieces.length ? write(pieces[at]) : '')).join(''))

function write(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (piece instanceof Html) return piece.text
  if (typeof piece === 'object') return piece.map(write).join('')
  return escapeHtml(String(piece))
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
