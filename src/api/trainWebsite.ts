import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { createChatbot, updateChatbot } from '../../server/contracts/chatbots'
import { startCrawl } from '../../server/contracts/crawls'
import { chatbotAdded } from './account'
import { callRoute } from './client'

/** The template with a flow that answers from sources. */
const TEMPLATE = 'answers-from-sources'
/** Enough to try it: more pages can be added under Knowledge base. */
const PAGES = 40
const DEPTH = 2

/** Completes a typed address with the likely protocol. */
export const asAddress = (typed: string): string => {
  const text = typed.trim()
  return text === '' || /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`
}

export const hostOf = (address: string): string =>
  URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : address

/**
 * Creates a chatbot that answers from a website, and starts a crawl: a chatbot from the template, with the details that
 * it needs to answer (SPEC.md 4). A retry after an unusable address continues with the first attempt's chatbot.
 */
export function useTrainWebsite(pgid: string, describe: (host: string) => string) {
  const queries = useQueryClient()
  const made = useRef<string | null>(null)
  return useMutation({
    mutationFn: async (typed: string) => {
      const url = asAddress(typed)
      const host = hostOf(url)
      made.current ??= await make(host)
      const params = { pgid, cgid: made.current }
      const business = { business_name: host.slice(0, 100), business_description: describe(host).slice(0, 200) }
      await callRoute(updateChatbot, { params, body: { name: host, ...business } })
      const { crawl } = await callRoute(startCrawl, {
        params,
        body: { mode: 'crawl', url, depth: DEPTH, max_pages: PAGES, include: [], exclude: [] },
      })
      return { cgid: params.cgid, crawl: crawl.gid }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['chatbots', pgid] }),
  })

  async function make(name: string): Promise<string> {
    const { chatbot } = await callRoute(createChatbot, { params: { pgid }, body: { name, template: TEMPLATE } })
    chatbotAdded(chatbot)
    return chatbot.gid
  }
}
