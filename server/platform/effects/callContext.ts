import type { Variables } from '../../../engine/values/render'

/**
 * What happens to a call's changes outside. `real`: a visitor's, carried out. `simulated`: a test's, shown but not
 * carried out. `marked`: a test's with the tester's permission, carried out and marked as a test.
 */
export type Writes = 'real' | 'marked' | 'simulated'

/** Where a conversation takes place. */
export type Environment = 'production' | 'sharing' | 'playground' | 'editor'

/** Streams the result so far to listeners as Markdown, complete each time; empty if it was withdrawn. */
export type ShowDraft = (markdown: string) => void

/**
 * The context of a call, from the turn that makes it and its row, so that no handler has to look anything up by a key.
 * Handlers name the fields they need (`Pick`); the command line and tests provide just those.
 */
export interface CallContext {
  project: { id: string }
  chatbot: { id: string }
  conversation: {
    id: string
    gid: string
    /** the visitor whose daily budget pays: the browser, or this conversation; null: a test */
    visitor: string | null
  }
  run: {
    id: string
    /** the version of the chatbot */
    versionId: string
    /** at the start of the turn */
    variables: Variables
  }
  environment: Environment
  /** the name of the conversation's channel */
  channel: string
  /** the same key is the same call: handlers should pass it on if they can, since a call is repeated after a crash */
  idempotencyKey: string
  /** aborted when the process stops: the next process repeats the call under the same key */
  signal: AbortSignal
  writes: Writes
  draft: ShowDraft
}
