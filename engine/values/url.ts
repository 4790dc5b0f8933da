/** SPEC.md 5: URL fields of blocks must start with https:// or http://. */
export const isExternalUrl = (value: string): boolean => /^https?:\/\//i.test(value)

/** What a link in a text may lead to: the web, a mail, a call. */
export const isLinkUrl = (value: string): boolean => /^(?:https?:\/\/|mailto:|tel:)/i.test(value)

/** The address of a file that was uploaded to this installation. */
export const isFileUrl = (value: string): boolean => /^\/files\/[a-z0-9]{16}$/.test(value)

/** What images may be loaded from: the web, or the files of this installation. */
export const isMediaUrl = (value: string): boolean => isExternalUrl(value) || isFileUrl(value)
