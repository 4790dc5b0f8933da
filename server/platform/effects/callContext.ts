import type { Variables } from '../../../engine/values/render'

/**
 * What becomes of what a call changes outside. `real`: a visitor's, carried out. `simulated`: a test's, shown and not carried out.
 * `marked`: a test's whose tester allowed it: carried out, and marked as a test wherever it lands.
 */
export type Writes = 'real' | 'marked' | 'simulated'

/** Where a conversation is held. */
export type Environment = 'production' | 'sharing' | 'playground' | 'editor'

/** Shows who listens what the call has come to so far, as Markdown: all of it each time; empty when nothing comes of it. */
export type ShowDraft = (markdown: string) => void

/**
 * For whom, and how, a call is made: by the turn that makes it, from the row that it has, so that no handler looks anything up by a key.
 * Handlers ask for what they need of it (`Pick`), which is what the command line and tests have to give.
 */
export interface CallContext {
  project: { id: string }
  chatbot: { id: string }
  conversation: {
    id: string
    gid: string
    /** whose budget of the day it is paid from: the visitor's browser, or this conversation; null: a test's */
    visitor: string | null
  }
  run: {
    id: string
    /** the version of the chatbot that it runs */
    versionId: string
    /** as the turn began */
    variables: Variables
  }
  environment: Environment
  /** the name of the conversation's channel */
  channel: string
  /** the same key is the same call: a handler that can should pass it on, since a crash during a call repeats it */
  idempotencyKey: string
  /** ends when the process stops: the call is made again by the next one, under the same key */
  signal: AbortSignal
  writes: Writes
  draft: ShowDraft
}
