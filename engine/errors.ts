/**
 * Every error that the engine throws deliberately, one row per cause. Codes are stable; retired ones are never reused.
 */
export const engineErrors = {
  FLOW_INVALID: 'The flow is not valid.',
  FLOW_TOO_DEEP: 'The flow is nested too deeply.',
  FLOW_TOO_NEW: 'The flow was written by a newer version of Parley.',
  KIND_DUPLICATE: 'Two block kinds have the same name.',
  KIND_UNKNOWN: 'The block kind is not known.',
  MIGRATION_FAILED: 'A stored block could not be brought to the present version of its kind.',
  PORT_UNDECLARED: 'A block returned a port that it does not declare.',
  REPLAY_DIVERGED: 'A block asked for something else than what its journal recorded.',
  REPLY_UNEXPECTED: 'The conversation does not wait for an answer.',
  RECORDING_INVALID: 'The file is not a test that can be read.',
  IMPORT_UNREADABLE: 'The file is not a flow that can be read.',
} as const

export type EngineErrorCode = keyof typeof engineErrors

/** Thrown by the engine; `code` is stable, `detail` names the value or place. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  constructor(
    readonly code: EngineErrorCode,
    readonly detail?: string,
    options?: { cause?: unknown },
  ) {
    super(detail ? `${engineErrors[code]} ${detail}` : engineErrors[code], options)
  }
}
