import { documentCaps, type OverCap } from './documentCaps'

/**
 * What our sync adds to y-websocket's protocol; the server and the builder both read it here.
 *
 * A client that connects with `?saved=1` is told how many of its write frames (sync step 2, update) on this connection are
 * stored: message `MESSAGE_SAVED`, a varUint. And it is told of what is new about the flow but not in its document: message `MESSAGE_NEWS`,
 * a string, the topic, which may go on after a colon. And of whether it may write, at first and whenever that changes: message
 * `MESSAGE_RIGHTS`, a varUint, 1 or 0. Clients that don't ask are sent nothing they don't know.
 *
 * A client that connects with `?as=<account's public id>` is let in as that account alone: somebody else may have logged in since in the
 * same browser, and edits that wait there are not theirs.
 */
export const AS_PARAM = 'as'
export const SAVED_PARAM = 'saved'
export const MESSAGE_SAVED = 100
export const MESSAGE_NEWS = 101
export const MESSAGE_RIGHTS = 102

/** Codes 4400 to 4499 tell y-websocket's provider that trying again is pointless; the others it retries. */
export const closeCodes = {
  badMessage: 4400,
  loggedOut: 4401,
  forbidden: 4403,
  gone: 4404,
  /** the change that was sent */
  changeTooLarge: 4413,
  /** the flow, with the change that was sent and all that was deleted in it */
  flowTooLarge: 4414,
  /** the flow would have more of these than any may (documentCaps.ts) */
  tooManyGroups: 4420,
  tooManyBlocks: 4421,
  tooManyEdges: 4422,
  tooManyVariables: 4423,
  /** a text, a block */
  textTooLong: 4424,
  blockTooLarge: 4425,
  tryLater: 4503,
  tooFast: 4529,
  /** as many as may have the flow open */
  flowFull: 4530,
  /** as many connections as one person may have */
  tooManyTabs: 4531,
} as const

/** The code for a change that would bring the document over a cap. */
export const codeOfCap = {
  groups: closeCodes.tooManyGroups,
  blocks: closeCodes.tooManyBlocks,
  edges: closeCodes.tooManyEdges,
  variables: closeCodes.tooManyVariables,
  text: closeCodes.textTooLong,
  block: closeCodes.blockTooLarge,
  deleted: closeCodes.flowTooLarge,
} as const satisfies Record<OverCap, number>

/** What a refused client is told beside the code, in words for whoever reads a log; the builder has its own. */
export const closeReasons: Readonly<Record<number, string>> = {
  [closeCodes.badMessage]: 'The message could not be read.',
  [closeCodes.loggedOut]: 'The session has ended. Log in again.',
  [closeCodes.forbidden]: 'Your role does not let you open this flow.',
  [closeCodes.gone]: 'There is no such flow.',
  [closeCodes.changeTooLarge]: 'The change is too large. Import it as a file instead.',
  [closeCodes.flowTooLarge]: 'The flow would become too large. Delete something first.',
  [closeCodes.tooManyGroups]: `A flow has at most ${documentCaps.groups} groups. Move some to another flow.`,
  [closeCodes.tooManyBlocks]: `A flow has at most ${documentCaps.blocks} blocks. Move some to another flow.`,
  [closeCodes.tooManyEdges]: `A flow has at most ${documentCaps.edges} connections. Remove some first.`,
  [closeCodes.tooManyVariables]: `A flow has at most ${documentCaps.variables} variables. Delete some first.`,
  [closeCodes.textTooLong]: `A text has at most ${documentCaps.text} characters. Split it into several blocks.`,
  [closeCodes.blockTooLarge]: 'The block would hold too much. Split it into several blocks.',
  [closeCodes.tryLater]: 'The server can not serve this flow now. Come back.',
  [closeCodes.tooFast]: 'Too many changes at once. Come back more slowly.',
  [closeCodes.flowFull]: 'Too many people have this flow open. Come back later.',
  [closeCodes.tooManyTabs]: 'You have too many flows open. Close some of them.',
}

/** The news that the server put the open document in order: a list of repairs (repairDocument.ts) as JSON follows. */
export const REPAIRED_TOPIC = 'repaired'

/** The news that which flows the chatbot has, what they are called or what is published has changed. */
export const CHATBOT_TOPIC = 'chatbot'
