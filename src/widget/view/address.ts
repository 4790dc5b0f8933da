import { isLinkUrl } from '../../../engine/values/url'

/** Addresses may come from variables: only web addresses are linked, shown or opened, and none that URL can't parse. */
export const isWebAddress = (value: string): boolean => /^https?:\/\//i.test(value) && URL.canParse(value)

/** Uploaded to the installation that the chat runs on, by an editor. */
export const isFile = (value: string): boolean => /^\/files\/[a-z0-9]{16}$/.test(value)

/** A person's picture on this installation. */
export const isPicture = (value: string): boolean => /^\/files\/people\/[a-z0-9]{16}$/.test(value)

/** What words may lead to: the web, a mail, a call, a file of this installation. */
export const isLinkable = (value: string): boolean => isFile(value) || (isLinkUrl(value) && URL.canParse(value))

/** Where a visitor's file lies as seen from here: the installation may be reached by several names. */
export const sentFileAddress = (value: string): string | null =>
  /^(?:https?:\/\/[^/]+)?(\/files\/sent\/[a-z0-9]{16})$/i.exec(value)?.[1] ?? null

/** An image of a look: of the web, or uploaded. */
export const isShownImage = (value: string): boolean => isFile(value) || isWebAddress(value)

/** What a link to a foreign page needs. */
export const outward = { target: '_blank', rel: 'noopener noreferrer nofollow' } as const
