import { infiniteQueryOptions } from '@tanstack/react-query'
import { listContacts } from '../../server/contracts/contacts'
import { callRoute } from './client'

/** The contacts created by a chatbot, newest first, paginated. */
export const contactsQuery = (pgid: string, cgid: string, test: 'only' | 'none' | undefined) =>
  infiniteQueryOptions({
    queryKey: ['contacts', pgid, cgid, test],
    queryFn: ({ pageParam, signal }) =>
      callRoute(listContacts, {
        params: { pgid, cgid },
        query: { ...(pageParam && { before: pageParam }), ...(test && { test }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ contacts, more }) => (more ? contacts.at(-1)?.gid : undefined),
    staleTime: 0,
  })
