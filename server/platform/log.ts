import pino, { type DestinationStream, type LogFn, type Logger } from 'pino'
import type { Config } from './config/config'
import { ApiError } from './errors'
import { type Trouble, troubleOf } from './trouble'

/** An incident ends when nothing of its kind failed for this long. */
const QUIET = 30_000

/** What fails in large numbers: trouble with the machine, and calls refused because of overload. */
type IncidentKind = Trouble | 'overload'

const texts: Record<IncidentKind, string> = {
  database: 'the database can not be used',
  disk: 'a disk is full',
  descriptors: 'too many files and connections are open',
  overload: 'calls are refused: there is more to do than the server can',
}

interface Incident {
  since: number
  failures: number
  timer: NodeJS.Timeout
}

export interface ServerLog {
  log: Logger
  /** From now on trouble with the database is part of the stop, and is not logged. */
  stopping: () => void
}

/**
 * The server's log. Failures because of the database, the disk or descriptors, and refusals because of overload, are
 * one line per incident, wherever they are logged: the first failure with its reason and without a stack and, after 30
 * s without another, how often it happened.
 * @param level of the config
 * @param out destination; default: the standard output
 */
export function createLog(level: Config['logLevel'], out?: DestinationStream): ServerLog {
  const incidents = new Map<IncidentKind, Incident>()
  let stopped = false

  function note(this: Logger, trouble: IncidentKind, inputs: Parameters<LogFn>, method: LogFn): void {
    if (stopped && trouble === 'database') return
    const known = incidents.get(trouble)
    if (known) {
      known.failures += 1
      known.timer.refresh()
      return
    }
    const timer = setTimeout(() => {
      const over = incidents.get(trouble)
      incidents.delete(trouble)
      if (!over) return
      const seconds = Math.round((Date.now() - over.since - QUIET) / 1_000)
      log.warn({ incident: trouble, failures: over.failures, seconds }, `${texts[trouble]}: over, quiet for 30 s`)
    }, QUIET).unref()
    incidents.set(trouble, { since: Date.now(), failures: 1, timer })
    const [first, what] = inputs as unknown as [unknown, unknown]
    const { err, cause: _, ...rest } = (first instanceof Error ? { err: first } : first) as Record<string, unknown>
    method.call(this, { ...rest, incident: trouble, reason: reasonOf(err), what }, texts[trouble])
  }

  const log: Logger = pino(
    {
      level,
      hooks: {
        logMethod(inputs, method) {
          const trouble = troubleIn(inputs[0])
          if (trouble) note.call(this, trouble, inputs as Parameters<LogFn>, method)
          else method.apply(this, inputs)
        },
      },
    },
    out ?? process.stdout,
  )
  return {
    log,
    stopping() {
      stopped = true
    },
  }
}

function troubleIn(first: unknown): IncidentKind | null {
  const error = typeof first === 'object' && first !== null && 'err' in first ? first.err : first
  return troubleOf(error) ?? (error instanceof ApiError && error.code === 'overloaded' ? 'overload' : null)
}

/** The innermost message is the most specific: the outer ones are ours. */
function reasonOf(err: unknown): string {
  let reason = err
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause
  return reason instanceof Error ? ((reason.message || reason.name).split('\n', 1)[0] ?? '') : String(reason)
}
