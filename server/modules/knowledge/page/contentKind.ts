export type ContentKind = 'html' | 'text' | 'pdf' | 'other'

const HTML = /^(?:text\/html|application\/xhtml\+xml)$/
const TEXT = /^text\/(?:plain|markdown|x-markdown|csv|x-rst)$/
/** Generic types that servers send for unknown files. */
const UNSAID =
  /^(?:application\/octet-stream|binary\/octet-stream|application\/x-download|application\/force-download|)$/

export const mediaType = (contentType = ''): string => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()

// biome-ignore lint/suspicious/noControlCharactersInRegex: characters that a text does not contain
const CONTROL = /[\x01-\x08\x0e-\x1a\x1c-\x1f]/

/** The kind according to the server's header. Null: only the bytes tell. */
export function kindBySaying(contentType: string | undefined): ContentKind | null {
  const type = mediaType(contentType)
  if (HTML.test(type)) return 'html'
  if (TEXT.test(type)) return 'text'
  if (type === 'application/pdf' || type === 'application/x-pdf') return 'pdf'
  return UNSAID.test(type) ? null : 'other'
}

/** The kind by header and bytes: HTML may be declared as text, and PDFs as HTML. */
export function contentKind(contentType: string | undefined, bytes: Uint8Array): ContentKind {
  const head = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1')
  if (head.slice(0, 64).includes('%PDF-')) return 'pdf'
  const said = kindBySaying(contentType)
  const looksLikeHtml = /^(?:\xef\xbb\xbf)?\s*(?:<!--[\s\S]*?-->\s*)*<(?:!doctype html|html|head|body)\b/i.test(head)
  if (said === 'pdf') return looksLikeHtml ? 'html' : 'pdf'
  if (said === 'other') return 'other'
  if (looksLikeHtml) return 'html'
  const marked = /^(?:\xff\xfe|\xfe\xff)/.test(head)
  // text has no control characters, except UTF-16, which has zeros
  const isText = !CONTROL.test(head) && (!head.includes('\0') || marked)
  if (said === 'html') return isText || head.includes('\0') ? 'html' : 'other'
  return isText ? 'text' : 'other'
}
