import type { Feed } from '../../../server/contracts/feeds'

/** What a list calls itself, or its address until that is known. */
export const feedName = ({ title, url }: Pick<Feed, 'title' | 'url'>): string => title || url
