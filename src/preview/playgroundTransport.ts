import type { z } from 'zod'
import {
  type PlaygroundDebug,
  playgroundEvents,
  sendPlaygroundFile,
  sendPlaygroundMessage,
  startPlayground,
  type TestVisit,
} from '../../server/api/playground/contract'
import { callRoute, pathOf } from '../api/client'
import { ApiFailure } from '../api/failure'
import { ChatFailure, type ChatTransport, createClientId } from '../widget/transport'

export interface Draft {
  pgid: string
  cgid: string
  fid: string
}

type Answer = z.infer<typeof startPlayground.answer>

/**
 * The tester's transport: each opening is a new conversation with the draft as it is then.
 * @param onDebug told after every turn what ran and in which conversation, and null when a new conversation begins
 * @param ready awaited before the draft is frozen, so that the last edits are in it
 * @param visit whom the tester stands for
 */
export function createPlaygroundTransport(
  draft: Draft,
  onDebug: (debug: PlaygroundDebug | null, conversation: string | null) => void,
  ready: () => Promise<void>,
  visit: () => TestVisit,
): ChatTransport {
  let id = ''

  async function ask(call: () => Promise<Answer>) {
    try {
      const { conversation, debug } = await call()
      id = conversation.id
      onDebug(debug, id)
      return conversation
    } catch (failure) {
      throw asChatFailure(failure)
    }
  }

  async function start() {
    onDebug(null, null)
    await ready()
    return ask(() => callRoute(startPlayground, { params: draft, body: { client_id: createClientId(), as: visit() } }))
  }

  return {
    open: async () => ({ conversation: await start(), resumed: false }),
    restart: start,
    send: (reply, clientId) =>
      ask(() =>
        callRoute(sendPlaygroundMessage, {
          params: { ...draft, conversation: id },
          body: { client_id: clientId, reply },
        }),
      ),
    async upload(content, onProgress, signal) {
      try {
        const answer = await callRoute(sendPlaygroundFile, {
          params: { ...draft, conversation: id },
          query: { name: content.name.slice(-255) },
          file: { content, onProgress },
          signal,
        })
        return answer.file.id
      } catch (failure) {
        throw asChatFailure(failure)
      }
    },
    listen(after, onUpdate, onConnected) {
      const path = pathOf(playgroundEvents.path, { ...draft, conversation: id })
      const source = new EventSource(`${path}?after=${after}`, { withCredentials: true })
      source.addEventListener('update', (event) => {
        const { conversation, debug } = JSON.parse(event.data) as Answer
        onDebug(debug, id)
        onUpdate(conversation)
      })
      source.addEventListener('open', () => onConnected(true))
      source.addEventListener('error', () => onConnected(false))
      return () => source.close()
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
