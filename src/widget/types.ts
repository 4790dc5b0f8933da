/** The wire's types, by name: types only, so that nothing of the server or the engine comes into the bundle. */
export type { BotMessage, InputRequest, SentReply as Reply } from '../../engine/flow/conversation'
export type { ChatMessage, ChatPage, Conversation, Draft, Publication } from '../../server/contracts/chat'
export type { BegunChat, GivenPage } from '../../server/contracts/firstView'
export type { Look } from '../../server/contracts/web/look'

/** What a visitor says of a conversation at its end. */
export interface SurveyAnswer {
  /** from 1, very bad, to 5, very good */
  rating: number
  follow_up: ('answers' | 'speed' | 'understanding' | 'person' | 'other')[]
  resolved: boolean | null
  feedback: string
}
