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

/** What was asked for before its screen was there, until that takes it. */
let early: { place: Promise<FlowPlace>; room: Promise<Room> } | null = null

/**
 * Asks for what the builder needs first, while its program is still on its way: a chatbot, its flow, the flow's room.
 * @param asked the flow that the address names; null: the chatbot's main one
 * @param queries gets the chatbot
 */
export function openEarly(pgid: string, cgid: string, asked: string | null, queries: QueryClient): void {
  // who is not let in is told so by the account's own call, which runs beside these
  const call = { handleUnauthenticated: false }
  const place = callRoute(readChatbot, { params: { pgid, cgid }, ...call }).then(({ chatbot }) => {
    queries.setQueryData(chatbotQuery(pgid, cgid).queryKey, chatbot)
    return { pgid, cgid, fid: asked ?? chatbot.fid }
  })
  const room = place.then((params) => callRoute(openDocument, { params, ...call }))
  early = { place, room }
  room.catch(() => undefined)
}

/** The room of a flow; what was asked for early is taken once, and asked for again where it failed. */
export async function openRoom(params: FlowPlace, signal: AbortSignal): Promise<Room> {
  const before = early
  early = null
  const place = await before?.place.catch(() => null)
  const same = place?.pgid === params.pgid && place.cgid === params.cgid && place.fid === params.fid
  const room = same ? await before?.room.catch(() => null) : null
  return room ?? callRoute(openDocument, { params, signal })
}
