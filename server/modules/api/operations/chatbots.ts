import { listChatbots, readChatbot } from '../../../contracts/chatbots'
import { list, type Operation, operation } from '../operation'

export const chatbotOperations: readonly Operation[] = [
  list(listChatbots, {
    id: 'listChatbots',
    path: '/chatbots',
    tag: 'Chatbots',
    summary: 'List chatbots',
    items: 'chatbots',
  }),
  operation(readChatbot, {
    id: 'readChatbot',
    path: '/chatbots/{chatbot}',
    tag: 'Chatbots',
    summary: 'Read a chatbot',
    names: { chatbot: 'cgid' },
    pick: 'chatbot',
  }),
]
