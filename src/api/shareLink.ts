import { useAccount } from './account'

/** The address of a chatbot's page, on the visitors' own origin if there is one. */
export const useShareLink = (slug: string): string =>
  new URL(`/c/${slug}`, useAccount().chat_url ?? window.location.origin).href
