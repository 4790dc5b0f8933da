import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import {
  type ContactChange,
  createContact,
  listContacts,
  readContact,
  updateContact,
} from '../../server/contracts/contacts'
import { eraseContact, readPersonData } from '../../server/contracts/privacy'
import { callRoute } from './client'

export interface ContactFilter {
  test?: 'only' | 'none'
  search?: string
  tag?: string
  segment?: string
  /** as JSON */
  filter?: string
}

/** What all queries of a project's contacts begin with. */
export const contactsKey = (pgid: string) => ['contacts', pgid] as const

/** The contacts of a project, newest first, paginated. */
export const contactsQuery = (pgid: string, filter: ContactFilter) =>
  infiniteQueryOptions({
    queryKey: [...contactsKey(pgid), 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      callRoute(listContacts, {
        params: { pgid },
        query: { ...filter, ...(pageParam && { before: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ contacts, more }) => (more ? contacts.at(-1)?.gid : undefined),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** A contact with what the person did. */
export const contactQuery = (pgid: string, gid: string) =>
  queryOptions({
    queryKey: [...contactsKey(pgid), 'one', gid],
    queryFn: ({ signal }) => callRoute(readContact, { params: { pgid, gid }, signal }),
    staleTime: 0,
  })

export function useContactChanges(pgid: string) {
  const queries = useQueryClient()
  // not waited for: what shows the contact may go with it, and with it what it does next
  const onSuccess = () => void queries.invalidateQueries({ queryKey: contactsKey(pgid) })
  const create = useMutation({
    mutationFn: (body: ContactChange) => callRoute(createContact, { params: { pgid }, body }),
    onSuccess,
  })
  const update = useMutation({
    mutationFn: ({ gid, ...body }: ContactChange & { gid: string }) =>
      callRoute(updateContact, { params: { pgid, gid }, body }),
    onSuccess,
  })
  const erase = useMutation({
    mutationFn: (gid: string) => callRoute(eraseContact, { params: { pgid, gid } }),
    // the contact itself is not there to be read again
    onSuccess: () => void queries.invalidateQueries({ queryKey: [...contactsKey(pgid), 'list'] }),
  })
  return { create, update, erase }
}

/** All that is known of a person, as the text of a JSON file. */
export const personData = async (pgid: string, gid: string): Promise<string> =>
  JSON.stringify((await callRoute(readPersonData, { params: { pgid, gid } })).data, null, 2)
