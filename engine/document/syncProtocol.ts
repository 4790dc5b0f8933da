import { documentCaps, type OverCap } from './documentCaps'

/**
 * What our sync adds to y-websocket's protocol; shared by the server and the builder.
 *
 * A client that connects with `?saved=1` is sent three kinds of messages. `MESSAGE_SAVED`, a varUint: how many of its
 * write frames (sync step 2, update) on this connection are stored. `MESSAGE_NEWS`, a string: a topic, optionally with
 * data after a colon, for news about the flow that are not in its document. `MESSAGE_RIGHTS`, a varUint, 1 or 0:
 * whether it may write, at first and on every change. Other clients get none of these.
 *
 * A client that connects with `?as=<account's public id>` is accepted only as that account: somebody else may have
 * logged in since in the same browser, and the edits waiting there are not theirs.
 */
export const AS_PARAM = 'as'
export const SAVED_PARAM = 'saved'
export const MESSAGE_SAVED = 100
export const MESSAGE_NEWS = 101
export const MESSAGE_RIGHTS = 102

/** Codes 4400 to 4499 tell y-websocket's provider not to reconnect; it reconnects after all others. */
export const closeCodes = {
  badMessage: 4400,
  loggedOut: 4401,
  forbidden: 4403,
  gone: 4404,
  /** a single update */
  changeTooLarge: 4413,
  /** the document with the update, deleted parts included */
  flowTooLarge: 4414,
  /** more of these than a flow may have (documentCaps.ts) */
  tooManyGroups: 4420,
  tooManyBlocks: 4421,
  tooManyEdges: 4422,
  tooManyVariables: 4423,
  /** a text, a block */
  textTooLong: 4424,
  blockTooLarge: 4425,
  tryLater: 4503,
  tooFast: 4529,
  /** the flow has its maximum of connections */
  flowFull: 4530,
  /** the account has its maximum of connections */
  tooManyTabs: 4531,
} as const

/** The close code for an update that would exceed a cap. */
export const codeOfCap = {
  groups: closeCodes.tooManyGroups,
  blocks: closeCodes.tooManyBlocks,
  edges: closeCodes.tooManyEdges,
  variables: closeCodes.tooManyVariables,
  text: closeCodes.textTooLong,
  block: closeCodes.blockTooLarge,
  deleted: closeCodes.flowTooLarge,
} as const satisfies Record<OverCap, number>

/** English close reasons, for whoever reads a log; the builder has its own texts. */
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

/** Topic: the server repaired the open document; a list of repairs (repairDocument.ts) follows as JSON. */
export const REPAIRED_TOPIC = 'repaired'

/** Topic: the chatbot's flows, their names, or what is published changed. */
export const CHATBOT_TOPIC = 'chatbot'
