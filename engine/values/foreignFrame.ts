/**
 * How pages of others are framed, in the chat and in the inbox. They may use their own origin (players and forms need
 * their storage) unless that is ours: with scripts and our origin, a page could remove the sandbox.
 */
export const sandboxOf = (isOwn: boolean): string =>
  `allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-presentation${isOwn ? '' : ' allow-same-origin'}`

/** What such a page may do beside that. */
export const FRAME_ALLOWS = 'fullscreen; picture-in-picture; encrypted-media'
/** A referrer is sent, since players refuse to play without one; of an address here only the origin. */
export const FRAME_REFERRER = 'strict-origin-when-cross-origin'
