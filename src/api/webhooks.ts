import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { WebhookEvent } from '../../server/contracts/webhookEvents'
import * as contract from '../../server/contracts/webhooks'
import { callRoute } from './client'

/** How often an open screen looks for what was sent meanwhile. */
const LOOK_AGAIN = 4_000

/** A project's webhooks, and whether its plan has them. */
export const webhooksQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['webhooks', pgid],
    queryFn: ({ signal }) => callRoute(contract.listWebhooks, { params: { pgid }, signal }),
    // messages are sent all the time
    staleTime: 0,
    refetchInterval: LOOK_AGAIN,
  })

export type MessageFilter = contract.WebhookMessage['status'] | 'all'

/** What was sent to an endpoint, newest first, paginated. */
export const webhookMessagesQuery = (pgid: string, gid: string, status: MessageFilter) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', pgid, gid, status],
    queryFn: ({ pageParam, signal }) =>
      callRoute(contract.listWebhookMessages, {
        params: { pgid, gid },
        query: { ...(status !== 'all' && { status }), ...(pageParam && { before: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ messages, more }) => (more ? messages.at(-1)?.gid : undefined),
    staleTime: 0,
    refetchInterval: LOOK_AGAIN,
  })

/** A message with its attempts. */
export const webhookMessageQuery = (pgid: string, gid: string, message: string) =>
  queryOptions({
    queryKey: ['webhooks', pgid, gid, 'message', message],
    queryFn: ({ signal }) => callRoute(contract.readWebhookMessage, { params: { pgid, gid, mgid: message }, signal }),
    staleTime: 0,
    refetchInterval: LOOK_AGAIN,
  })

export function useCreateWebhook(pgid: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: contract.WebhookSettings) => callRoute(contract.createWebhook, { params: { pgid }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: webhooksQuery(pgid).queryKey }),
  })
}

/** What can be done with an endpoint. */
export function useWebhook(pgid: string, gid: string) {
  const queries = useQueryClient()
  const params = { pgid, gid }
  const onSettled = () => queries.invalidateQueries({ queryKey: webhooksQuery(pgid).queryKey })
  const save = useMutation({
    mutationFn: (body: Partial<contract.WebhookSettings>) => callRoute(contract.updateWebhook, { params, body }),
    onSettled,
  })
  const remove = useMutation({
    mutationFn: () => callRoute(contract.deleteWebhook, { params }),
    // the log of what is gone is not asked for again
    onSuccess: () => queries.invalidateQueries({ queryKey: webhooksQuery(pgid).queryKey, exact: true }),
  })
  const rotate = useMutation({ mutationFn: () => callRoute(contract.rotateWebhookSecret, { params }), onSettled })
  const test = useMutation({
    mutationFn: (type: WebhookEvent) => callRoute(contract.testWebhook, { params, body: { type } }),
    onSettled,
  })
  const replay = useMutation({
    mutationFn: (body: z.infer<typeof contract.replayWebhook.body>) =>
      callRoute(contract.replayWebhook, { params, body }),
    onSettled,
  })
  return { save, remove, rotate, test, replay }
}
