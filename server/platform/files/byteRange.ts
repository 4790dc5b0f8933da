import type { IncomingHttpHeaders } from 'node:http'
import type { ByteRange } from './files'

/**
 * Parses a Range header (RFC 9110, 14.2), so that players can seek. Several ranges, or an invalid header, mean the
 * whole file, as the standard allows.
 * @returns null for the whole, `none` if the file ends before the range
 */
export function byteRange(headers: IncomingHttpHeaders, bytes: number, tag: string): ByteRange | 'none' | null {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range?.trim() ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return null
  // the client resumes a download: if the file is another one, it gets the whole
  if (headers['if-range'] !== undefined && headers['if-range'] !== tag) return null
  if (from === '') return Number(to) === 0 ? 'none' : { start: Math.max(0, bytes - Number(to)), end: bytes - 1 }
  const start = Number(from)
  const end = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)
  if (to !== '' && Number(to) < start) return null
  return start >= bytes ? 'none' : { start, end }
}
