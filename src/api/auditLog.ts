import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { checkAuditLog, exportAuditLog, listAuditLog } from '../../server/contracts/auditLog'
import { downloadBlob } from '../ui/downloadBlob'
import { callRoute, pathOf } from './client'

/** What of the log is shown; an empty text: all. */
export interface AuditFilter {
  person: string
  subject: string
  from: string
  to: string
}

/** What members did, newest first, paginated. */
export const auditLogQuery = (pgid: string, filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit-log', pgid, filter],
    queryFn: ({ pageParam, signal }) =>
      callRoute(listAuditLog, {
        params: { pgid },
        query: {
          ...Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== '')),
          ...(pageParam > 0 && { before: pageParam }),
        },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ entries, more }) => (more ? entries.at(-1)?.seq : undefined),
    staleTime: 0,
  })

/** Whether all hashes fit; asked for on demand alone. */
export const auditCheckQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['audit-log', pgid, 'check'],
    queryFn: ({ signal }) => callRoute(checkAuditLog, { params: { pgid }, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

/** Downloads the entries of the chosen days as JSON Lines. Throws if they can't be had. */
export async function downloadAuditLog(pgid: string, { from, to }: AuditFilter): Promise<void> {
  const days = new URLSearchParams({ ...(from && { from }), ...(to && { to }) })
  const response = await fetch(`${pathOf(exportAuditLog.path, { pgid })}?${days}`, { credentials: 'include' })
  if (!response.ok) throw new Error(String(response.status))
  downloadBlob(await response.blob(), 'audit-log.jsonl')
}
