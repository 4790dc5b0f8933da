import { readWholeChatbot } from '../../../contracts/account'
import { listChatbots } from '../../../contracts/chatbots'
import { list, type Operation, operation } from '../operation'

export const chatbotOperations: readonly Operation[] = [
  list(listChatbots, {
    id: 'listChatbots',
    path: '/chatbots',
    tag: 'Chatbots',
    summary: 'List chatbots',
    items: 'chatbots',
  }),
  operation(readWholeChatbot, {
    id: 'readChatbot',
    path: '/chatbots/{chatbot}',
    tag: 'Chatbots',
    summary: 'Read a chatbot and its settings',
    description: 'What the holder of the key may not see is empty.',
    names: { chatbot: 'cgid' },
    pick: 'chatbot',
  }),
]
