import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'

/** What the process needs besides browsers: the database, Redis, files that are read and written, calls to other servers, workers. */
const LEAST_RESERVE = 100
const RESERVE_SHARE = 0.25
const LEAST_CONNECTIONS = 16
/** Below this many the start says so. */
const ENOUGH = 1_024

/** @returns how many files and connections this process may have open at once; Infinity where that is not limited or not known */
export function openFileLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    if (soft) return Number(soft)
  } catch {
    // not Linux: the report has it
  }
  const report = process.report?.getReport() as { userLimits?: { open_files?: { soft?: unknown } } } | undefined
  const soft = Number(report?.userLimits?.open_files?.soft)
  return soft > 0 ? soft : Number.POSITIVE_INFINITY
}

/** @returns how many connections of browsers leave the process what else it needs */
export function connectionsWithin(limit: number): number {
  return Math.max(LEAST_CONNECTIONS, Math.floor(limit - Math.max(LEAST_RESERVE, limit * RESERVE_SHARE)))
}

/** @returns a line for who starts Parley where the limit is low; null where it is not */
export function lowLimitNotice(limit: number): string | null {
  if (limit >= ENOUGH) return null
  return (
    `Parley may have ${limit} files and connections open at once, which lets ${connectionsWithin(limit)} browsers in: raise the limit ` +
    '(ulimit -n 4096; LimitNOFILE= with systemd; ulimits: nofile: with Docker Compose)'
  )
}

/**
 * Keeps the connections of browsers within the limit: whoever comes above it is cut off, which also ends connections that nobody uses, so
 * that the next one gets in. Logged once an incident.
 */
export function limitConnections(server: Server, limit: number, log: FastifyBaseLogger): void {
  if (!Number.isFinite(limit)) return
  server.maxConnections = connectionsWithin(limit)
  server.on('drop', () => {
    server.closeIdleConnections()
    const err = Object.assign(new Error(`more than ${server.maxConnections} connections`), { code: 'EMFILE' })
    log.error({ err }, 'a connection was refused')
  })
}
