import { useAccount } from './account'

/** Where visitors load a chatbot: from its own host, else from their own origin, if there is one. */
export function useVisitorOrigin({ domain }: { domain: string | null }): string {
  const { chat_url } = useAccount()
  return domain ? `https://${domain}` : new URL(chat_url ?? window.location.origin).origin
}

/** The address of a chatbot's page. */
export function useShareLink(chatbot: { slug: string; domain: string | null }): string {
  const origin = useVisitorOrigin(chatbot)
  return chatbot.domain ? `${origin}/` : `${origin}/c/${chatbot.slug}`
}
