import type { z } from 'zod'
import type { Draft } from '../../server/api/chat/contract'
import {
  playgroundEvents,
  sendPlaygroundFile,
  sendPlaygroundMessage,
  type startPlayground,
} from '../../server/api/playground/contract'
import { callRoute, pathOf } from '../api/client'
import { ApiFailure } from '../api/failure'
import { ChatFailure, type ChatTransport } from '../widget/transport'
import type { Debugger } from './debugger'

type Answer = z.infer<typeof startPlayground.answer>

/**
 * The tester's transport: each opening is a new conversation with the draft as it is then. What is said while one looks back goes on
 * from there.
 * @param notSent what is told when one would rather not go on from there
 */
export function createPlaygroundTransport(bug: Debugger, notSent: () => string): ChatTransport {
  /** what hears of news; it hears nothing while one looks back */
  let connect: ((after: number) => void) | null = null

  async function ask(call: () => Promise<Answer>) {
    try {
      const answer = await call()
      bug.take(answer)
      return answer.conversation
    } catch (failure) {
      throw asChatFailure(failure)
    }
  }

  async function present(): Promise<void> {
    const { lookingAt } = bug.store.getState()
    if (lookingAt === null) return
    if (!(await bug.toPresent().catch((failure) => Promise.reject(asChatFailure(failure))))) {
      throw new ChatFailure('refused', notSent())
    }
    connect?.(bug.store.getState().messages.at(-1)?.seq ?? 0)
  }

  const start = () =>
    bug.begin().then(
      ({ conversation }) => conversation,
      (failure) => {
        throw asChatFailure(failure)
      },
    )

  return {
    open: async () => ({ conversation: await start(), resumed: false }),
    restart: start,
    send: (reply, clientId) =>
      bug.inTurn(async () => {
        await present()
        return ask(() =>
          callRoute(sendPlaygroundMessage, {
            params: bug.params(),
            body: { client_id: clientId, reply, pauses: bug.pauses() },
          }),
        )
      }),
    async upload(content, onProgress, signal) {
      await bug.inTurn(present)
      try {
        const answer = await callRoute(sendPlaygroundFile, {
          params: bug.params(),
          query: { name: content.name.slice(-255) },
          file: { content, onProgress },
          signal,
        })
        return answer.file.id
      } catch (failure) {
        throw asChatFailure(failure)
      }
    },
    listen(after, onUpdate, onConnected, onDraft) {
      let source: EventSource | null = null
      const open = (from: number) => {
        source?.close()
        source = new EventSource(`${pathOf(playgroundEvents.path, bug.params())}?after=${from}`, {
          withCredentials: true,
        })
        source.addEventListener('update', (event) => {
          const answer = JSON.parse(event.data) as Answer
          bug.take(answer)
          onUpdate(answer.conversation)
        })
        source.addEventListener('draft', (event) => onDraft(JSON.parse(event.data) as Draft))
        source.addEventListener('open', () => onConnected(true))
        source.addEventListener('error', () => onConnected(false))
      }
      connect = open
      if (bug.store.getState().lookingAt === null) open(after)
      return () => {
        source?.close()
        if (connect === open) connect = null
      }
    },
  }
}

function asChatFailure(failure: unknown): ChatFailure {
  const known = failure instanceof ApiFailure ? failure : null
  const message = known?.message ?? String(failure)
  if (known?.status === 404) return new ChatFailure('gone', message, { cause: failure })
  const reason = known?.status === undefined || known.status >= 500 ? 'offline' : 'refused'
  return new ChatFailure(reason, message, { cause: failure })
}
