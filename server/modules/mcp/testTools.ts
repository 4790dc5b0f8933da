import { z } from 'zod'
import type { InputRequest } from '../../../engine/flow/conversation'
import { messageToString } from '../../../engine/flow/conversationWords'
import { replyInWords } from '../../../engine/flow/replyInWords'
import { readChatbot } from '../../contracts/chatbots'
import { sendPlaygroundMessage, startPlayground, stopPlayground } from '../../contracts/playground'
import { runTests } from '../../contracts/recordings'
import { gid } from '../../contracts/route'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import { defineTool, type McpTool } from './tool'

const MOST_REPLIES = 50

const reply = z
  .union([
    z.string().min(1).max(20_000),
    z.strictObject({ skip: z.literal(true) }),
    z.strictObject({ form: z.record(z.string().max(100), z.union([z.string(), z.array(z.string())])) }),
  ])
  .describe(
    'what is typed, or an option’s label or number; { "skip": true }; { "form": { "<label of a field>": "…" } }',
  )

/** Tools that test drafts. */
export const testTools = ({ ids }: Pick<ServerContext, 'ids'>): McpTool[] => [
  defineTool({
    name: 'test_draft',
    title: 'Talk to the draft',
    description:
      'Has a conversation with the draft of a chatbot, as a visitor would: gives what was said, which blocks it went through, the values ' +
      'of variables, and what is asked at the end. What blocks would change outside (mails, contacts, requests that write) is not carried out, ' +
      'and told in `would`.',
    input: z.strictObject({
      chatbot: gid.describe('the id of a chatbot, from list_chatbots'),
      replies: z.array(reply).max(MOST_REPLIES).describe('the visitor’s answers, one a question'),
    }),
    // a tester's conversation is invisible to visitors and statistics
    changes: false,
    run: async ({ chatbot: cgid, replies }, { route }) => {
      const { fid } = (await route(readChatbot, { cgid })).chatbot
      const client = () => ids()
      let state = await route(startPlayground, { cgid, fid }, { body: { client_id: client() } })
      const place = { cgid, fid, conversation: state.conversation.id }
      let unused = replies.length
      for (const given of replies) {
        const { request } = state.conversation
        if (!request) break
        state = await route(sendPlaygroundMessage, place, {
          body: { client_id: client(), reply: answerTo(request, given) },
        })
        unused -= 1
      }
      const { conversation, debug } = state
      if (conversation.request) await route(stopPlayground, place)
      return {
        said: state.conversation.messages.map(({ author, content }) => ({
          by: author === 2 ? 'visitor' : 'bot',
          text: messageToString(content),
        })),
        asked: conversation.request,
        ended: conversation.request === null,
        unused_replies: unused,
        path: debug.path.map(({ groupId, blockId, kind, port, note }) => ({ groupId, blockId, kind, port, note })),
        would: debug.effects.map(({ blockId, effect: { carriedOut: _, ...effect } }) => ({ blockId, ...effect })),
        variables: debug.variables.map(({ name, value }) => ({ name, value })),
        stopped: debug.stopped,
      }
    },
  }),
  defineTool({
    name: 'run_tests',
    title: 'Run the tests',
    description:
      'Replays the conversations that were kept as tests of a chatbot on its drafts: where one goes another way now, and what no test reaches. ' +
      'Nothing outside is called.',
    input: z.strictObject({ chatbot: gid.describe('the id of a chatbot, from list_chatbots') }),
    changes: false,
    run: ({ chatbot: cgid }, { route }) => route(runTests, { cgid }),
  }),
]

function answerTo(request: InputRequest, given: z.infer<typeof reply>) {
  if (typeof given === 'string') {
    const answer = replyInWords(request, given)
    if ('problem' in answer) throw new ApiError('invalid', { message: `“${given}”: ${answer.problem}` })
    return answer
  }
  if ('skip' in given) return { type: 'skip' as const }
  if (request.input !== 'form') throw new ApiError('invalid', { message: 'A form was answered where none is asked.' })
  const values = Object.entries(given.form).map(([label, value]) => {
    const field = request.fields.find((each) => each.label === label || each.id === label)
    if (!field) throw new ApiError('invalid', { message: `The form has no field “${label}”.` })
    return [field.id, value] as const
  })
  return { type: 'form' as const, values: Object.fromEntries(values) }
}
