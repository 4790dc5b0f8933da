import type { Chatbot } from '../../../server/contracts/chatbots'

export interface BuilderProps {
  pgid: string
  chatbot: Chatbot
  /** the open flow */
  fid: string
}
