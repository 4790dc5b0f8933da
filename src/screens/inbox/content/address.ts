import { isFileUrl, isLinkUrl } from '../../../../engine/values/url'

/** Addresses may come from variables: only web addresses are linked, shown or opened, and none that URL can't parse. */
export const isWebAddress = (value: string): boolean => /^https?:\/\//i.test(value) && URL.canParse(value)

/** A file of this installation: uploaded by an editor, or sent by a visitor or a person. */
export const isOwnFile = (value: string): boolean => isFileUrl(value) || sentFileAddress(value) !== null

/** Where a sent file lies as seen from here: the installation may be reached by several names. */
export const sentFileAddress = (value: string): string | null =>
  /^(?:https?:\/\/[^/]+)?(\/files\/sent\/[a-z0-9]{16})$/i.exec(value)?.[1] ?? null

/** What words may lead to: the web, a mail, a call, a file of this installation. */
export const isLinkable = (value: string): boolean => isFileUrl(value) || (isLinkUrl(value) && URL.canParse(value))

/** What a link to a foreign page needs. */
export const outward = { target: '_blank', rel: 'noopener noreferrer nofollow' } as const
