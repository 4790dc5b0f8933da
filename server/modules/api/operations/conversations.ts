import { z } from 'zod'
import { caps, tooLong } from '../../../../engine/values/caps'
import {
  addNote,
  changeConversations,
  conversationChange,
  listInbox,
  NOTE_CAP,
  readInboxConversation,
  readThread,
  replyToVisitor,
} from '../../../contracts/inbox'
import { receiveMessage } from '../../../contracts/messageApi'
import { gid } from '../../../contracts/route'
import { ApiError } from '../../../platform/errors'
import { combined, list, type Operation, operation } from '../operation'

const place = z.strictObject({ conversation: gid })

export const conversationOperations = (ids: () => string): readonly Operation[] => [
  list(listInbox, {
    id: 'listConversations',
    path: '/conversations',
    tag: 'Conversations',
    summary: 'List conversations',
    description: 'The last changed first. `view` says which: `all` are those that are open.',
    items: 'conversations',
    cursor: 'after',
    next: ({ next }) => next,
  }),
  operation(readInboxConversation, {
    id: 'readConversation',
    path: '/conversations/{conversation}',
    tag: 'Conversations',
    summary: 'Read a conversation',
    pick: 'conversation',
  }),
  operation(readThread, {
    id: 'listMessages',
    path: '/conversations/{conversation}/messages',
    tag: 'Conversations',
    summary: 'List a conversation’s messages',
    description: 'The newest; with `before`, those before the message of that number.',
  }),
  operation(receiveMessage, {
    id: 'sendMessage',
    path: '/chatbots/{chatbot}/messages',
    tag: 'Conversations',
    summary: 'Send what a person wrote',
    description:
      'Begins a conversation, or goes on with that of `from`. What the chatbot and people say is sent to the address that stands at the chatbot’s channel Message API, which has to be on.',
    names: { chatbot: 'cgid' },
    example: { from: 'customer-1815', id: 'message-1', text: 'Where is my order?' },
    status: 201,
  }),
  combined({
    id: 'changeConversation',
    method: 'PATCH',
    path: '/conversations/{conversation}',
    tag: 'Conversations',
    summary: 'Assign, close, label or snooze',
    description: 'What is left out stays. `status`: `closed` ends it, `open` reopens it, `bot` gives it back.',
    scope: 'write',
    params: place,
    body: conversationChange,
    example: { status: 'closed' },
    answer: readInboxConversation.answer,
    run: async ({ params: { conversation }, body: change }, call) => {
      await call.route(readInboxConversation, { conversation })
      const { failed } = await call.route(changeConversations, {}, { body: { conversations: [conversation], change } })
      if (failed[0]) throw new ApiError('conflict', { message: failed[0].reason })
      return call.route(readInboxConversation, { conversation })
    },
  }),
  combined({
    id: 'replyToVisitor',
    method: 'POST',
    path: '/conversations/{conversation}/messages',
    tag: 'Conversations',
    summary: 'Answer the visitor',
    description: 'As the holder of the key; the bot stops. Refused with `conversation_closed`, unless `reopen`.',
    scope: 'write',
    params: place,
    example: { text: 'Your parcel left us this morning.' },
    status: 201,
    body: z.strictObject({
      text: z.string().trim().min(1, 'Enter a message').max(caps.userMessage, tooLong(caps.userMessage)),
      reopen: z.boolean().optional(),
      close: z.boolean().optional().describe('closes the conversation with it'),
    }),
    answer: z.strictObject({ seq: z.int() }),
    run: ({ params, body }, call) =>
      call.route(replyToVisitor, params, { body: { ...body, client_id: ids(), seen: 0, anyway: true } }),
  }),
  combined({
    id: 'addNote',
    method: 'POST',
    path: '/conversations/{conversation}/notes',
    tag: 'Conversations',
    summary: 'Leave a note for colleagues',
    example: { body: 'Wants to be called back at 15:00.' },
    scope: 'write',
    params: place,
    body: z.strictObject({ body: z.string().trim().min(1, 'Enter a note').max(NOTE_CAP, tooLong(NOTE_CAP)) }),
    answer: null,
    run: ({ params, body }, call) => call.route(addNote, params, { body: { ...body, client_id: ids() } }),
  }),
]
