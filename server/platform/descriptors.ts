import { readFileSync } from 'node:fs'
import type { Server as HttpServer } from 'node:http'
import type { Server } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'

/** Descriptors that the process needs besides browsers: database, Redis, files, outgoing calls, workers. */
const LEAST_RESERVE = 100
const RESERVE_SHARE = 0.25
const LEAST_CONNECTIONS = 16
/** Below this number the start prints a notice. */
const ENOUGH = 1_024

/** @returns how many files and connections this process may have open; Infinity if unlimited or unknown */
export function openFileLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    if (soft) return Number(soft)
  } catch {
    // not Linux: use the report
  }
  const report = process.report?.getReport() as { userLimits?: { open_files?: { soft?: unknown } } } | undefined
  const soft = Number(report?.userLimits?.open_files?.soft)
  return soft > 0 ? soft : Number.POSITIVE_INFINITY
}

/** @returns how many browser connections leave enough descriptors for everything else */
export function connectionsWithin(limit: number): number {
  return Math.max(LEAST_CONNECTIONS, Math.floor(limit - Math.max(LEAST_RESERVE, limit * RESERVE_SHARE)))
}

/** @returns a notice for the operator if the limit is low; otherwise null */
export function lowLimitNotice(limit: number): string | null {
  if (limit >= ENOUGH) return null
  return (
    `Parley may have ${limit} files and connections open at once, which lets ${connectionsWithin(limit)} browsers in: raise the limit ` +
    '(ulimit -n 4096; LimitNOFILE= with systemd; ulimits: nofile: with Docker Compose)'
  )
}

/**
 * Keeps browser connections within the limit: a connection beyond it is closed, together with idle ones, so that the
 * next one is accepted. Logged once per incident.
 */
export function limitConnections(server: Server | HttpServer, limit: number, log: FastifyBaseLogger): void {
  if (!Number.isFinite(limit)) return
  server.maxConnections = connectionsWithin(limit)
  server.on('drop', () => {
    if ('closeIdleConnections' in server) server.closeIdleConnections()
    const err = Object.assign(new Error(`more than ${server.maxConnections} connections`), { code: 'EMFILE' })
    log.error({ err }, 'a connection was refused')
  })
}
