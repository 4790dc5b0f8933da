import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Presence } from '../../../server/contracts/inbox'
import { refreshConversation, refreshInbox, refreshLists, refreshSetup } from '../../api/inbox'
import { refreshKeptViews } from '../../api/inboxViews'
import { openEvents } from '../../api/openEvents'

/** Lists are read again at most this often, however much is said. */
const LISTS_MS = 800
const THREAD_MS = 60

interface Changed {
  conversations: string[]
  setup: boolean
}

/**
 * Keeps what is on the screen up to date: the stream says what has changed, and that is read again. After a lost
 * connection everything is.
 * @returns whether one is no longer of the project
 */
export function useInboxEvents(
  pgid: string,
  conversation: string | undefined,
  onPresence: (presence: Presence) => void,
): boolean {
  const [isOut, setOut] = useState(false)
  const client = useQueryClient()
  const open = useRef(conversation)
  const tell = useRef(onPresence)
  useEffect(() => {
    open.current = conversation
    tell.current = onPresence
  })

  useEffect(() => {
    let isFirst = true
    let lists: ReturnType<typeof setTimeout> | null = null
    const threads = new Map<string, ReturnType<typeof setTimeout>>()
    function hear(event: Event): void {
      // the browser's own event has no data
      if (!('data' in event)) return
      if (!isFirst) void refreshInbox(client, pgid)
      isFirst = false
    }
    function change({ data }: MessageEvent<string>): void {
      const { conversations, setup } = JSON.parse(data) as Changed
      if (setup) {
        void refreshSetup(client, pgid)
        void refreshKeptViews(client, pgid)
      }
      lists ??= setTimeout(() => {
        lists = null
        void refreshLists(client, pgid, false)
      }, LISTS_MS)
      const present = open.current
      if (!present || !conversations.includes(present) || threads.has(present)) return
      threads.set(
        present,
        setTimeout(() => {
          threads.delete(present)
          void refreshConversation(client, pgid, present)
        }, THREAD_MS),
      )
    }
    function listen(events: EventSource): void {
      events.addEventListener('open', hear)
      events.addEventListener('changed', change)
      events.addEventListener('presence', ({ data }) => tell.current(JSON.parse(data) as Presence))
    }
    const end = openEvents(pgid, listen, () => setOut(true))
    return () => {
      end()
      if (lists) clearTimeout(lists)
      for (const timer of threads.values()) clearTimeout(timer)
    }
  }, [client, pgid])
  return isOut
}
