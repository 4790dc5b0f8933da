import type { z } from 'zod'
import type { Draft } from '../../server/contracts/chat'
import {
  playgroundEvents,
  sendPlaygroundFile,
  sendPlaygroundMessage,
  type startPlayground,
} from '../../server/contracts/playground'
import { callRoute, pathOf } from '../api/client'
import { ApiFailure } from '../api/failure'
import { openEventStream } from '../widget/eventStream'
import { ChatFailure, type ChatTransport, failureOf } from '../widget/transport'
import type { Debugger } from './debugger'

type Answer = z.infer<typeof startPlayground.answer>

/**
 * The tester's transport: each opening is a new conversation with the present draft. Messages sent while an earlier
 * turn is shown continue from there.
 * @param notSent the message if the user declines that
 */
export function createPlaygroundTransport(bug: Debugger, notSent: () => string): ChatTransport {
  /** subscribes to updates; not while an earlier turn is shown */
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
      let stop = () => {}
      const open = (from: number) => {
        stop()
        stop = openEventStream({
          addressOf: (last) => `${pathOf(playgroundEvents.path, bug.params())}?after=${last}`,
          after: from,
          on: {
            update: (data) => {
              const answer = data as Answer
              bug.take(answer)
              onUpdate(answer.conversation)
            },
            draft: (data) => onDraft(data as Draft),
          },
          onConnected,
        })
      }
      connect = open
      if (bug.store.getState().lookingAt === null) open(after)
      return () => {
        stop()
        if (connect === open) connect = null
      }
    },
  }
}

function asChatFailure(failure: unknown): ChatFailure {
  const known = failure instanceof ApiFailure ? failure : null
  const reason = known?.status === undefined ? 'offline' : failureOf(known.status)
  return new ChatFailure(reason, known?.message ?? String(failure), { cause: failure })
}
