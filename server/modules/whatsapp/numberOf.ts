import type { ProjectCaller } from '../../access/access'
import { chatbotOf } from '../../access/chatbots'
import { ApiError } from '../../platform/errors'
import type { ConnectionRow, Connections } from './connections'
import { AnswerLost } from './graph'
import { GraphError } from './graphError'

/** What routes do with a chatbot's number. */
export function createNumberOf(connections: Connections) {
  return {
    /** @throws ApiError not_found if the chatbot has none */
    async find({ db, project }: ProjectCaller, cgid: string): Promise<ConnectionRow> {
      const { id } = await chatbotOf(db, project.id, cgid)
      const row = await connections.ofChatbot(db, project.id, id)
      if (!row) throw new ApiError('not_found')
      return row
    },

    /** Calls WhatsApp for a connection; notes why it does not work. @returns null if it does not */
    async during<Result>(row: ConnectionRow, task: (token: string) => Promise<Result>): Promise<Result | null> {
      try {
        const token = connections.keysOf(row)?.token
        if (token === undefined)
          throw new GraphError(null, 'reconnect', 'Its values can’t be opened. Connect it again.')
        return await task(token)
      } catch (error) {
        if (!(error instanceof GraphError || error instanceof AnswerLost)) throw error
        await connections.note(row, error.message)
        return null
      }
    },
  }
}
export type NumberOf = ReturnType<typeof createNumberOf>
