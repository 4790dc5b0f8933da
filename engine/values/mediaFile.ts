/** Accepted types of uploaded media; others may contain scripts (SVG, HTML), or don't play in all browsers. */
export const mediaTypes = {
  image: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'],
  video: ['video/mp4', 'video/webm', 'video/ogg'],
  audio: ['audio/mpeg', 'audio/wav', 'audio/ogg', 'audio/mp4'],
  // SPEC.md 9: the one type of document
  document: ['application/pdf'],
} as const

export type Medium = keyof typeof mediaTypes
export type MediaType = (typeof mediaTypes)[Medium][number]
export const media = Object.keys(mediaTypes) as [Medium, ...Medium[]]

/** Most bytes of an upload. */
export const mediaCaps: Readonly<Record<Medium, number>> = {
  image: 10_000_000,
  video: 25_000_000,
  audio: 25_000_000,
  document: 25_000_000,
}
