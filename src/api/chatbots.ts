import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import {
  createChatbot,
  deleteChatbot,
  duplicateChatbot,
  listChatbots,
  readChatbot,
  tickSetupStep,
  updateChatbot,
  upgradeChatbot,
} from '../../server/contracts/chatbots'
import { chatbotAdded, chatbotRemoved, chatbotRenamed } from './account'
import { callRoute } from './client'

export type NewChatbot = z.infer<typeof createChatbot.body>
type ChatbotChange = z.infer<typeof updateChatbot.body>

/** Longest name of a chatbot or a project (SPEC.md 9). */
export const NAME_CAP = 125

export const chatbotsQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['chatbots', pgid],
    queryFn: ({ signal }) => callRoute(listChatbots, { params: { pgid }, signal }).then(({ chatbots }) => chatbots),
  })

/** The polling interval during a deletion. */
const LOOK_EVERY = 2_000

/** Chatbots being deleted; polled until there are none. */
export const deletingQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['chatbots-deleting', pgid],
    queryFn: ({ signal }) => callRoute(listChatbots, { params: { pgid }, signal }).then(({ deleting }) => deleting),
    refetchInterval: ({ state }) => (state.data && state.data.length > 0 ? LOOK_EVERY : false),
  })

export const chatbotQuery = (pgid: string, cgid: string) =>
  queryOptions({
    queryKey: ['chatbots', pgid, cgid],
    queryFn: ({ signal }) => callRoute(readChatbot, { params: { pgid, cgid }, signal }).then(({ chatbot }) => chatbot),
  })

/** Mutations of a project's chatbots; they update the lists and the account. */
export function useChatbotChanges(pgid: string) {
  const queries = useQueryClient()
  const reread = () => queries.invalidateQueries({ queryKey: ['chatbots', pgid] })

  const create = useMutation({
    mutationFn: (body: NewChatbot) => callRoute(createChatbot, { params: { pgid }, body }),
    onSuccess: ({ chatbot }) => {
      chatbotAdded(chatbot)
      void reread()
    },
  })
  const update = useMutation({
    mutationFn: async ({ cgid, ...body }: { cgid: string } & ChatbotChange) =>
      (await callRoute(updateChatbot, { params: { pgid, cgid }, body })).chatbot,
    onSuccess: (chatbot) => {
      chatbotRenamed(chatbot.gid, chatbot.name)
      queries.setQueryData(chatbotQuery(pgid, chatbot.gid).queryKey, chatbot)
      void reread()
    },
  })
  const upgrade = useMutation({
    mutationFn: async (cgid: string) => (await callRoute(upgradeChatbot, { params: { pgid, cgid } })).chatbot,
    onSuccess: (chatbot) => {
      queries.setQueryData(chatbotQuery(pgid, chatbot.gid).queryKey, chatbot)
      void reread()
    },
  })
  const tick = useMutation({
    mutationFn: async ({ cgid, ...body }: { cgid: string; step: number; done: boolean }) =>
      (await callRoute(tickSetupStep, { params: { pgid, cgid }, body })).chatbot,
    onSuccess: (chatbot) => {
      queries.setQueryData(chatbotQuery(pgid, chatbot.gid).queryKey, chatbot)
      void queries.invalidateQueries({ queryKey: chatbotsQuery(pgid).queryKey, exact: true })
    },
  })
  const duplicate = useMutation({
    mutationFn: async (cgid: string) => (await callRoute(duplicateChatbot, { params: { pgid, cgid } })).chatbot,
    onSuccess: (chatbot) => {
      chatbotAdded(chatbot)
      void reread()
    },
  })
  const remove = useMutation({
    mutationFn: async ({ cgid, name }: { cgid: string; name: string }) => {
      await callRoute(deleteChatbot, {
        params: { pgid, cgid },
        body: { name },
      })
      return cgid
    },
    onSuccess: (cgid) => {
      chatbotRemoved(cgid)
      queries.removeQueries({ queryKey: chatbotQuery(pgid, cgid).queryKey })
      void queries.invalidateQueries({ queryKey: deletingQuery(pgid).queryKey })
      void queries.invalidateQueries({
        queryKey: chatbotsQuery(pgid).queryKey,
        exact: true,
      })
    },
  })
  return { create, update, upgrade, tick, duplicate, remove }
}
