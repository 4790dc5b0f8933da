import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ChannelCapabilities } from '../../engine/flow/capabilities'
import { type ChannelName, channelCapabilities, readChatbotChannels } from '../../server/contracts/channels'
import { callRoute } from './client'

/** The channels that people reach a chatbot on, and those that it is made for. */
export const channelsQuery = (pgid: string, cgid: string) =>
  queryOptions({
    queryKey: ['channels', pgid, cgid],
    queryFn: ({ signal }) => callRoute(readChatbotChannels, { params: { pgid, cgid }, signal }),
    // connected elsewhere in the interface
    staleTime: 0,
  })

/**
 * What the chatbot's channels can show: those that it is connected with or made for, and one that is looked at. The web
 * alone until they are loaded. @param shown the channel that a preview shows beside the web; null: none
 */
export function useChannelCapabilities(
  pgid: string,
  cgid: string,
  shown: ChannelName | null,
): readonly ChannelCapabilities[] {
  const { data } = useQuery(channelsQuery(pgid, cgid))
  return useMemo(() => {
    const names = new Set<ChannelName>(data ? [...data.channels, ...data.planned] : ['web'])
    if (shown) names.add(shown)
    return [...names].map((name) => channelCapabilities[name])
  }, [data, shown])
}
