import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type ContactImport,
  checkContactImport,
  deleteContactImport,
  type ImportMapping,
  listContactImports,
  readContactImport,
  startContactImport,
  uploadContactImport,
} from '../../server/contracts/contactImports'
import { callRoute } from './client'
import { contactsKey } from './contacts'

const isUnderWay = ({ status }: ContactImport) => status === 'checking' || status === 'running'
const keyOf = (pgid: string) => [...contactsKey(pgid), 'imports'] as const

/** The imports of a project, the newest first. */
export const importsQuery = (pgid: string) =>
  queryOptions({
    queryKey: [...keyOf(pgid), 'list'],
    queryFn: ({ signal }) => callRoute(listContactImports, { params: { pgid }, signal }).then(({ imports }) => imports),
    staleTime: 0,
  })

/** An import with its problems; looked at every second while its job works. */
export const importQuery = (pgid: string, gid: string) =>
  queryOptions({
    queryKey: [...keyOf(pgid), 'one', gid],
    queryFn: ({ signal }) => callRoute(readContactImport, { params: { pgid, gid }, signal }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data.import) ? 1_000 : false),
    staleTime: 0,
  })

export function useContactImport(pgid: string) {
  const queries = useQueryClient()
  const onSuccess = () => void queries.invalidateQueries({ queryKey: keyOf(pgid) })
  const upload = useMutation({
    mutationFn: ({ file, onProgress }: { file: File; onProgress: (part: number) => void }) =>
      callRoute(uploadContactImport, {
        params: { pgid },
        query: { name: file.name.slice(-255) },
        file: { content: file, onProgress },
      }),
    onSuccess,
  })
  const check = useMutation({
    mutationFn: ({ gid, mapping }: { gid: string; mapping: ImportMapping }) =>
      callRoute(checkContactImport, { params: { pgid, gid }, body: mapping }),
    onSuccess,
  })
  const start = useMutation({
    mutationFn: (gid: string) => callRoute(startContactImport, { params: { pgid, gid } }),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: (gid: string) => callRoute(deleteContactImport, { params: { pgid, gid } }),
    onSuccess,
  })
  return { upload, check, start, remove }
}
