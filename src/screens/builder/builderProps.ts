import type { Chatbot } from '../../../server/contracts/chatbots'

export interface BuilderProps {
  pgid: string
  chatbot: Chatbot
  /** the flow that is open */
  fid: string
}
