import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AgentAction } from '../../engine/values/agentActions'
import type { Json } from '../../engine/values/json'
import {
  createAction,
  deleteAction,
  enableAction,
  listActions,
  orderActions,
  readAction,
  testAction,
  updateAction,
} from '../../server/contracts/actions'
import { callRoute } from './client'
import type { ChatbotPlace } from './sources'

/** A chatbot's actions in order. */
export const actionsQuery = ({ pgid, cgid }: ChatbotPlace) =>
  queryOptions({
    queryKey: ['actions', pgid, cgid],
    queryFn: ({ signal }) => callRoute(listActions, { params: { pgid, cgid }, signal }),
    staleTime: 0,
  })

/** An action; fetched whenever it is opened, never while it is being edited. */
export const actionQuery = ({ pgid, cgid }: ChatbotPlace, gid: string) =>
  queryOptions({
    queryKey: ['actions', pgid, cgid, gid],
    queryFn: ({ signal }) => callRoute(readAction, { params: { pgid, cgid, gid }, signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })

export function useActionChanges(place: ChatbotPlace) {
  const queries = useQueryClient()
  const { queryKey } = actionsQuery(place)
  // also after a failure: usually the list is outdated
  const onSettled = () => queries.invalidateQueries({ queryKey, exact: true })
  const create = useMutation({
    mutationFn: (body: AgentAction) => callRoute(createAction, { params: place, body }),
    onSettled,
  })
  const update = useMutation({
    mutationFn: ({ gid, action, was }: { gid: string; action: AgentAction; was: string }) =>
      callRoute(updateAction, { params: { ...place, gid }, body: { action, was } }),
    onSettled,
  })
  const enable = useMutation({
    mutationFn: ({ gid, enabled }: { gid: string; enabled: boolean }) =>
      callRoute(enableAction, { params: { ...place, gid }, body: { enabled } }),
    onSettled,
  })
  const remove = useMutation({
    mutationFn: (gid: string) => callRoute(deleteAction, { params: { ...place, gid } }),
    onSettled,
  })
  const order = useMutation({
    mutationFn: (gids: string[]) => callRoute(orderActions, { params: place, body: { gids } }),
    // optimistic: the server's order comes with the list
    onMutate: (gids) =>
      queries.setQueryData(queryKey, (list) =>
        list
          ? { ...list, actions: gids.flatMap((gid) => list.actions.find((each) => each.gid === gid) ?? []) }
          : undefined,
      ),
    onSettled,
  })
  return { create, update, enable, remove, order }
}

/** The present state on the server, for overwriting somebody else's changes. */
export const rereadAction = (place: ChatbotPlace, gid: string) => callRoute(readAction, { params: { ...place, gid } })

export const useActionTest = (place: ChatbotPlace) =>
  useMutation({
    mutationFn: (body: { action: AgentAction; arguments: Record<string, Json>; gid?: string; carry_out?: boolean }) =>
      callRoute(testAction, { params: place, body }),
  })
