/** URL fields of blocks must start with https:// or http:// (SPEC.md 5). */
export const isExternalUrl = (value: string): boolean => /^https?:\/\//i.test(value)

/** Allowed link targets in a text: the web, a mail, a call. */
export const isLinkUrl = (value: string): boolean => /^(?:https?:\/\/|mailto:|tel:)/i.test(value)

/** The address of a file uploaded to this installation. */
export const isFileUrl = (value: string): boolean => /^\/files\/[a-z0-9]{16}$/.test(value)

/** Allowed image sources: the web, or files of this installation. */
export const isMediaUrl = (value: string): boolean => isExternalUrl(value) || isFileUrl(value)

/** What a file is called by its address; one of this installation has no name there. */
export function fileNameIn(url: string): string {
  const last = isFileUrl(url) ? '' : (url.split(/[?#]/)[0]?.split('/').slice(3).at(-1) ?? '')
  if (last === '') return 'Document'
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
