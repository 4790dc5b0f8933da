import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { crmEffect } from '../../engine/effects/crm'
import type { RequestOf } from '../../engine/effects/defineEffect'
import type { sheetsEffect } from '../../engine/effects/sheets'
import type { ticketEffect } from '../../engine/effects/ticket'
import {
  beginConnection,
  type ChoiceQuery,
  type Choices,
  type ConnectionArea,
  type ConnectionField,
  type ConnectionWay,
  type CrmTest,
  checkConnection,
  connectByHand,
  disconnect,
  finishConnection,
  listChoices,
  listConnectionUses,
  listVendorConnections,
  type SheetTest,
  type TicketTest,
  tryCrm,
  trySheet,
  tryTicket,
  type VendorSlug,
} from '../../server/contracts/integrations'
import { callRoute } from './client'

/** What a person fills in to connect. */
export type Filled = Partial<Record<ConnectionField, string>>

/** Vendors, and the project's accounts there. */
export const integrationsQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['integrations', pgid],
    queryFn: async ({ signal }) => callRoute(listVendorConnections, { params: { pgid }, signal }),
    // others connect, and vendors withdraw
    staleTime: 0,
  })

export const connectionUsesQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['integrations', pgid, 'uses'],
    queryFn: async ({ signal }) => (await callRoute(listConnectionUses, { params: { pgid }, signal })).uses,
    staleTime: 0,
  })

interface Connecting {
  vendor: VendorSlug
  /** where it is begun; default: the builder */
  area?: ConnectionArea
  returnTo: string
  fields?: Filled
}

export function useIntegrationChanges(pgid: string) {
  const queries = useQueryClient()
  const onSettled = () => queries.invalidateQueries({ queryKey: integrationsQuery(pgid).queryKey })
  /** leaves the app for the vendor's page */
  const connect = useMutation({
    mutationFn: async ({ vendor, area = 'builder', returnTo, fields }: Connecting) => {
      const body = { vendor, area, return_to: returnTo, ...(fields && { fields }) }
      const { url } = await callRoute(beginConnection, { params: { pgid }, body })
      window.location.assign(url)
    },
  })
  const bring = useMutation({
    mutationFn: (body: { vendor: VendorSlug; way: ConnectionWay; fields: Filled }) =>
      callRoute(connectByHand, { params: { pgid }, body }),
    onSettled,
  })
  const check = useMutation({
    mutationFn: (gid: string) => callRoute(checkConnection, { params: { pgid, gid } }),
    onSettled,
  })
  const remove = useMutation({
    mutationFn: (gid: string) => callRoute(disconnect, { params: { pgid, gid }, body: { confirmed: true } }),
    onSettled,
  })
  return { connect, bring, check, remove }
}

/** Ends what `connect` began, with what the vendor sent back. */
export const finishConnecting = (body: {
  vendor: VendorSlug
  area: ConnectionArea
  state: string
  code?: string
  error?: string
}) => callRoute(finishConnection, { body })

/** What an account at a vendor offers to choose from, where it needs no search. */
export const choicesQuery = (pgid: string, gid: string, list: ChoiceQuery['list']) =>
  queryOptions({
    queryKey: ['integrations', pgid, gid, 'choices', list],
    queryFn: ({ signal }) => loadChoices(pgid, gid, { list, within: [], search: '', reload: false }, signal),
    enabled: gid !== '',
  })

/** How long a list that was asked for is the answer for other fields too, in ms. */
const SHARED = 60_000

/** Like `loadChoices`, but asked once for all fields that list the same: a block may have fifty of them. */
export function useChoiceLists(pgid: string) {
  const queries = useQueryClient()
  return useCallback(
    async (gid: string, asked: ChoiceQuery, signal: AbortSignal): Promise<Choices> => {
      const { list, within, search, reload } = asked
      const choices = await queries.fetchQuery({
        queryKey: ['integrations', pgid, gid, 'choices', list, within, search],
        queryFn: ({ signal: own }) => loadChoices(pgid, gid, asked, own),
        // what could not be asked is asked again by the next form
        staleTime: ({ state }) => (reload || state.data?.problem ? 0 : SHARED),
      })
      signal.throwIfAborted()
      return choices
    },
    [queries, pgid],
  )
}

/** Throws ApiFailure, and the signal's reason. */
export const loadChoices = (pgid: string, gid: string, body: ChoiceQuery, signal: AbortSignal): Promise<Choices> =>
  callRoute(listChoices, { params: { pgid, gid }, body, signal })

/** Likewise. */
export const sendSheetTest = (
  pgid: string,
  body: RequestOf<typeof sheetsEffect>,
  signal: AbortSignal,
): Promise<SheetTest> => callRoute(trySheet, { params: { pgid }, body, signal })

/** Likewise. */
export const sendCrmTest = (pgid: string, body: RequestOf<typeof crmEffect>, signal: AbortSignal): Promise<CrmTest> =>
  callRoute(tryCrm, { params: { pgid }, body, signal })

/** Likewise. */
export const sendTicketTest = (
  pgid: string,
  body: RequestOf<typeof ticketEffect>,
  signal: AbortSignal,
): Promise<TicketTest> => callRoute(tryTicket, { params: { pgid }, body, signal })
