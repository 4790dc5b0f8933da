import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  addDomain,
  checkDomain,
  type Domain,
  type DomainView,
  readDomain,
  removeDomain,
  uploadCertificate,
} from '../../server/contracts/domains'
import { refreshAccount } from './account'
import { callRoute } from './client'

interface ChatbotPlace {
  pgid: string
  cgid: string
}

/** What is under way is followed closely; records that somebody is just making come some time. */
const CHECKING_MS = 1_000
const WAITING_MS = 10_000

const followEvery = (domain: Domain | null | undefined): number | false => {
  if (!domain) return false
  if (domain.checking || domain.status === 'renewing') return CHECKING_MS
  return domain.status !== 'active' && WAITING_MS
}

/** A chatbot's own host, and whether it may have one. */
export const domainQuery = ({ pgid, cgid }: ChatbotPlace) =>
  queryOptions({
    queryKey: ['domain', pgid, cgid],
    queryFn: ({ signal }) => callRoute(readDomain, { params: { pgid, cgid }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => followEvery(state.data?.domain),
  })

export function useDomainChanges(place: ChatbotPlace) {
  const queries = useQueryClient()
  const { queryKey } = domainQuery(place)
  const onSuccess = (view: DomainView) => queries.setQueryData(queryKey, view)
  const onError = () => queries.invalidateQueries({ queryKey })
  const params = { pgid: place.pgid, cgid: place.cgid }
  return {
    add: useMutation({
      mutationFn: (hostname: string) => callRoute(addDomain, { params, body: { hostname } }),
      onSuccess: (view) => {
        onSuccess(view)
        // its usage counts along
        void refreshAccount()
      },
    }),
    check: useMutation({ mutationFn: () => callRoute(checkDomain, { params }), onSuccess, onError }),
    upload: useMutation({
      mutationFn: (body: { certificate: string; key: string }) => callRoute(uploadCertificate, { params, body }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: () => callRoute(removeDomain, { params }),
      onSuccess: () => {
        void refreshAccount()
        return queries.invalidateQueries({ queryKey })
      },
      onError,
    }),
  }
}
