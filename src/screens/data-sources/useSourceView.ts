import { useSearchParams } from 'react-router'
import { type SourceKind, type SourceStatus, sourceKinds, sourceStatuses } from '../../../server/contracts/sources'
import type { SourceFilter } from '../../api/sources'

export const PAGE_SIZE = 50

export interface SourceView {
  filter: SourceFilter
  /** from 0 */
  page: number
  /** returns to the first page; other filters stay */
  setFilter: (change: SourceFilter) => void
  setPage: (page: number) => void
}

/** The sources' filter and page, stored in the address, so that returning from a source restores them. */
export function useSourceView(): SourceView {
  const [params, setParams] = useSearchParams()
  const filter: SourceFilter = {
    kind: oneOf<SourceKind>(sourceKinds, params.get('kind')),
    status: oneOf<SourceStatus>(sourceStatuses, params.get('status')),
    search: params.get('search') || undefined,
  }
  const page = Math.max(0, Math.floor(Number(params.get('page')) || 1) - 1)
  const write = (values: Record<string, string | undefined>) =>
    setParams(Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : [])) as [string, string][], {
      replace: true,
    })
  return {
    filter,
    page,
    setFilter: (change) => write({ ...filter, ...change }),
    setPage: (wanted) => write({ ...filter, page: wanted > 0 ? String(wanted + 1) : undefined }),
  }
}

const oneOf = <Value extends string>(all: readonly Value[], value: string | null): Value | undefined =>
  all.find((each) => each === value)
