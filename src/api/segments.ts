import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type ContactConditions,
  createSegment,
  deleteSegment,
  listSegments,
  updateSegment,
} from '../../server/contracts/contactFilter'
import { callRoute } from './client'
import { contactsKey } from './contacts'

/** The saved filters of a project, with their counts as they are now. */
export const segmentsQuery = (pgid: string) =>
  queryOptions({
    queryKey: [...contactsKey(pgid), 'segments'],
    queryFn: ({ signal }) => callRoute(listSegments, { params: { pgid }, signal }).then(({ segments }) => segments),
    staleTime: 0,
  })

export function useSegmentChanges(pgid: string) {
  const queries = useQueryClient()
  const onSuccess = () => void queries.invalidateQueries({ queryKey: contactsKey(pgid) })
  const save = useMutation({
    mutationFn: ({ gid, ...body }: { gid: string | null; name: string; filter: ContactConditions }) =>
      gid === null
        ? callRoute(createSegment, { params: { pgid }, body })
        : callRoute(updateSegment, { params: { pgid, gid }, body }),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: (gid: string) => callRoute(deleteSegment, { params: { pgid, gid } }),
    onSuccess,
  })
  return { save, remove }
}
