import type { QueryClient } from '@tanstack/react-query'
import { readChatbot } from '../../server/contracts/chatbots'
import { openDocument } from '../../server/contracts/flows'
import { chatbotQuery } from './chatbots'
import { callRoute } from './client'

interface Room {
  room: string
  read_only: boolean
}
interface FlowPlace {
  pgid: string
  cgid: string
  fid: string
}

/** Early requests, until the screen takes them over. */
let early: { place: Promise<FlowPlace>; room: Promise<Room> } | null = null

/**
 * Starts the builder's first requests while its code is still loading: the chatbot, its flow, the flow's room.
 * @param asked the flow in the address; null: the chatbot's main one
 * @param queries the cache for the chatbot
 */
export function openEarly(pgid: string, cgid: string, asked: string | null, queries: QueryClient): void {
  // the account's own call, which runs in parallel, handles 401
  const call = { handleUnauthenticated: false }
  const place = callRoute(readChatbot, { params: { pgid, cgid }, ...call }).then(({ chatbot }) => {
    queries.setQueryData(chatbotQuery(pgid, cgid).queryKey, chatbot)
    return { pgid, cgid, fid: asked ?? chatbot.fid }
  })
  const room = place.then((params) => callRoute(openDocument, { params, ...call }))
  early = { place, room }
  room.catch(() => undefined)
}

/** A flow's room; an early request is used once, and repeated if it failed. */
export async function openRoom(params: FlowPlace, signal: AbortSignal): Promise<Room> {
  const before = early
  early = null
  const place = await before?.place.catch(() => null)
  const same = place?.pgid === params.pgid && place.cgid === params.cgid && place.fid === params.fid
  const room = same ? await before?.room.catch(() => null) : null
  return room ?? callRoute(openDocument, { params, signal })
}
