import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  createExport,
  deleteExport,
  downloadExport,
  type ExportEntry,
  type ExportFormat,
  type ExportKind,
  listExports,
} from '../../server/contracts/exports'
import { downloadBlob } from '../ui/downloadBlob'
import { callRoute, pathOf } from './client'

const keyOf = (pgid: string) => ['exports', pgid] as const
const isUnderWay = ({ status }: ExportEntry) => status === 'waiting' || status === 'running'

/** A project's exports; looked at every second while one is being made. */
export const exportsQuery = (pgid: string) =>
  queryOptions({
    queryKey: keyOf(pgid),
    queryFn: ({ signal }) => callRoute(listExports, { params: { pgid }, signal }).then((answer) => answer.exports),
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? 1_000 : false),
    staleTime: 0,
  })

export interface WantedExport {
  kind: ExportKind
  chatbot?: string
  from?: string
  to?: string
  segment?: string
}

export function useCreateExport(pgid: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: WantedExport) => callRoute(createExport, { params: { pgid }, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(pgid) }),
  })
}

export function useDeleteExport(pgid: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (gid: string) => callRoute(deleteExport, { params: { pgid, gid } }),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(pgid) }),
  })
}

/** Fetches a file as a blob and gives it to the person (SPEC.md 7). Throws if it can't be had. */
export async function downloadFile(pgid: string, gid: string, format: ExportFormat): Promise<void> {
  const response = await fetch(`${pathOf(downloadExport.path, { pgid, gid })}?format=${format}`, {
    credentials: 'include',
  })
  if (!response.ok) throw new Error(String(response.status))
  const name = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  downloadBlob(await response.blob(), decodeURIComponent(name ?? `export.${format}`))
}
