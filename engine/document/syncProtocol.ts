/**
 * What our sync adds to y-websocket's protocol; the server and the builder both read it here.
 *
 * A client that connects with `?saved=1` is told how many of its write frames (sync step 2, update) on this connection are
 * stored: message `MESSAGE_SAVED`, a varUint. And it is told of what is new about the flow but not in its document: message `MESSAGE_NEWS`,
 * a string, the topic, which may go on after a colon. Clients that don't ask are sent nothing they don't know.
 *
 * A client that connects with `?as=<account's public id>` is let in as that account alone: somebody else may have logged in since in the
 * same browser, and edits that wait there are not theirs.
 */
export const AS_PARAM = 'as'
export const SAVED_PARAM = 'saved'
export const MESSAGE_SAVED = 100
export const MESSAGE_NEWS = 101

/** Codes 4400 to 4499 tell y-websocket's provider that trying again is pointless; the others it retries. */
export const closeCodes = {
  badMessage: 4400,
  loggedOut: 4401,
  forbidden: 4403,
  gone: 4404,
  tooLarge: 4413,
  tooFast: 4529,
  tryLater: 4503,
} as const
