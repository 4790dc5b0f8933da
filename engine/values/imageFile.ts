/** What an uploaded image may be; other types are drawings that can carry scripts, or nothing that browsers show. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] as const
export type ImageType = (typeof imageTypes)[number]

/** Most bytes of an uploaded image. */
export const IMAGE_CAP = 10_000_000
